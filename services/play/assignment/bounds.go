package assignment

import "time"

// The most characters of each text, counted as Unicode code points. The
// character, brief, boundaries, return condition, description and summary must
// not be blank.
const (
	MaxText        = 8_000 // character, brief, instructions, boundaries, return condition, notes of the game master
	MaxAction      = 4_000
	MaxNarration   = 6_000
	MaxMemory      = 16_000
	MaxDescription = 1_500 // of a consequence
	MaxSummary     = 4_000
	MaxNote        = 2_000 // of a decision
	MaxScene       = 64    // of an identifier of a node, which is ASCII
	MaxUsername    = 64    // of the player's, likewise
)

// The most entries of each list.
const (
	MaxPublished    = 100 // nodes of an assignment; one at least
	MaxConsequences = 10  // of a turn
	MaxDecisions    = 20  // of a review; one at least
	MaxListed       = 200 // assignments of a list
	MaxPage         = 100 // consequences of a page
)

// MaxListedCharacter is how many characters of its character a list gives of an
// assignment.
const MaxListedCharacter = 200

// TokenLife is how long a play token lives.
const TokenLife = 14 * 24 * time.Hour
