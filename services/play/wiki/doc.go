// Package wiki owns the private campaign wiki of each author.
//
// Table: wiki_page. Invariants:
//   - a page belongs to its owner, and only an author's own calls reach it: no
//     player sees a page, and no other author does;
//   - its revision starts at 1 and rises by one with each change; a change says
//     which revision it was made from, so that of several at once one is made
//     and the others are conflicts;
//   - pages, texts and what a search gives are bounded.
//
// A search looks for a text as it is, in titles and bodies, without regard to
// case and diacritics (services/play/fold). Errors that a caller may see:
// fault.NotFound, Conflict, Exists (the identifier is taken by another page),
// Unprocessable (bounds), Invalid (a text that cannot be stored), Unavailable
// and Timeout.
package wiki
