package worldtest

var folder string // "" where nothing was built
