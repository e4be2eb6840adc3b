// Package dataset publishes labelled reports and grades what somebody read out
// of them.
//
// The files are made from episodes in which nobody does anything, and are the
// same bytes whenever and wherever they are made. Those to learn from are told
// in the phrases of book A, and the one to be tested on in those of book B,
// which is that of the episodes themselves.
package dataset
