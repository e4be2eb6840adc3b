package operation

import "github.com/pharos-mcp/pharos/services/world/host"

// WithSlices is c with slices of at most so many blocks.
func (c Config) WithSlices(blocks int) Config {
	c.blocks = blocks
	return c
}

// Trusting is c without the second look, which tests are to notice.
func (c Config) Trusting() Config {
	c.trusting = true
	return c
}

// Revocations gives what Pharos remembers of others, with other bounds.
func Revocations(detailed, sections int) (host.Observer, *revocations) {
	r := newRevocations(detailed, sections)
	return r, r
}

// Has tells that a block may not be taken back.
var Has = (*revocations).has
