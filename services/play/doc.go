// Package play is facilitated solo play: a game master hands a part of a
// scenario to one player, an AI facilitator runs the session, and what it does
// to the campaign waits for the game master. Each owner of data is a package of
// its own below this one, which puts them together.
//
// It has three doors. Handler is for browsers and programs of people who have
// logged in: the pages and the REST interface. PlayCatalog and AuthorCatalog are
// the tools of two MCP catalogs, which a program serves beside it. Player and
// Author say whom a bearer token stands for: the former takes play tokens and
// nothing else, the latter an author's personal tokens and nothing else, and a
// login counts for neither.
//
// Nothing is kept in the process that another would need, so several instances
// may run on one database.
package play
