// Package report writes what a session was as Markdown, in English or Polish:
// what the game master assigned, what happened, what he decided, the memory.
//
// Every text of people is escaped and quoted, so that it reads as it was written
// and is never a heading, list, link, table or HTML of the report: whatever the
// texts are, the report has the same outline. It is made as it is written, so
// a long session needs no more memory than a short one.
package report
