// Package speech puts what a report claims into the words of a caller, and
// reads such words back.
//
// Phrases stand in text files, one for each language of each book. The two
// books have no phrase in common, so that who learned the words of one has not
// learned those of the other. What is said, and in which words, is drawn from a
// stream: the same stream gives the same text. A text need not say all of its
// claim; its label is what it does say.
//
// Noise (a text without capitals, a shouted sentence, letters that are missing,
// a line that breaks off) never touches an identifier or a numeral.
package speech
