package facilitator

// Instructions are what a client is told at initialize, in English.
func Instructions() string { return "" }

// Contract is the contract of a facilitator, in a language (en or pl; any other
// reads as en) and for a mode (absence, downtime or solo; any other reads as
// solo).
func Contract(language, mode string) string { return "" }
