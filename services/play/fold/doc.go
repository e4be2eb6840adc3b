// Package fold is how texts are searched: what is alike to a reader who looks
// for a word is made alike, texts are known by their grams, and what was found
// is shown as a piece of the original.
//
// A text is folded segment by segment, a segment being a character with the
// marks that combine with it. So the folded form of a piece of a text, cut
// between segments, stands in the folded form of the text, and a place in it
// leads back to the original.
//
// Nothing here has a query syntax: whatever stands in a query is looked for as
// it is.
package fold
