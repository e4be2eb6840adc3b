package blocks

// Pack is the table of one version. It does not change and is safe for
// concurrent use.
type Pack struct{}
