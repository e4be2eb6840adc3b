package broker

// Guard judges the address of a connection for a client's document.
var Guard = guard

// The bounds that tests fill up to.
const (
	MaxRequests = maxRequests
	MaxUnused   = maxUnused
)
