// Package mesh finds what is seen of a column of blocks: the faces between what
// hides and what does not, of whole blocks and of the boxes of slabs and stairs,
// each in its block's colour. It writes them as the live page reads them.
package mesh
