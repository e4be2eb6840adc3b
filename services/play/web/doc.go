// Package web is what people see of play in a browser: pages for the game
// master, the player and the author, in English and in Polish.
//
// A page is HTML from the server and works without any script; the content
// security policy allows none. Everything that changes something is a form with
// its own identifier of the operation, so that sending it twice does it once,
// and a form that was refused comes back with everything that was typed. The
// pages hold no rule of the domain: they check what was typed against the same
// bounds first, so as to say it at the field and in the reader's language, and
// then ask the domain.
package web
