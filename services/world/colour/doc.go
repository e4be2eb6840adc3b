// Package colour gives each block a colour of our own: no picture of the game
// is used or looked at. What reads a block's name by rules holds for blocks of
// later versions too.
package colour
