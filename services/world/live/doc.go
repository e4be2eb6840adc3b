// Package live shows a world to who has the link that the program prints: a page
// that follows what is built, who is in, and what operations do. It reads and
// changes nothing.
//
// The link is good once and becomes a cookie; another one takes its place. What
// the page may load is beside it, three.js among it; nothing of the game is.
// Chunks are sent as the faces that are seen of them (package mesh), on request.
// Server-sent events only name the chunks that changed: what a slow viewer has not
// taken yet is a set of bounded size, and past that one word, "resync".
package live
