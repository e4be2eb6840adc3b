// Package chronicle is what is read back of a session: the context that a
// facilitator starts from, the journal, what a search finds, and what a report
// is made of.
//
// Table: event_text, which assignments fill. Invariants:
//   - each answer is of one version: it is read in one snapshot, or from events,
//     which never change, up to a version;
//   - nothing private is read: no game master's notes and no node that the
//     assignment does not publish, but for the report of the game master;
//   - the journal holds turns and the ending, no reviews, in the order of their
//     versions, so that what is written meanwhile comes after every page;
//   - a search takes about the same time however long the session is.
package chronicle
