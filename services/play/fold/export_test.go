package fold

// Next is how many bytes the first segment of a text has.
var Next = next

// Seam tells whether a text may be cut at a place.
var Seam = seam
