package tool

// Style is how the value of a parameter is written, with its flags: one style
// and any of Explode, Reserved and Slash, joined by |.
type Style uint16

// The styles of OpenAPI 3.1. JSON is a parameter that is described by content:
// its value travels as JSON text.
const (
	Simple Style = iota + 1
	Label
	Matrix
	Form
	SpaceDelimited
	PipeDelimited
	DeepObject
	JSON
)

// The flags of a style.
const (
	// Explode writes each item or member on its own.
	Explode Style = 0x100 << iota
	// Reserved leaves reserved characters as they are where the query allows
	// them (allowReserved). #, [, ], & and + are encoded all the same: they
	// would end the query, or become another parameter or a space.
	Reserved
	// Slash lets a path value contain / and \ (E-11). They are sent encoded.
	Slash

	kindMask Style = 0xff
)

func (s Style) kind() Style { return s & kindMask }

func (s Style) has(flag Style) bool { return s&flag != 0 }
