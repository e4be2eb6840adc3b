package chunk

import "slices"

// Section copies the 16 layers that a height is in: the states, and the place of
// each position among them in the order y, z, x, nil where all are of the first.
// It is nothing above and below the world and in a section that Load refuses.
// States that no position has any more may be among them.
func (c *Chunk) Section(y int32) (palette []string, cells []uint16) {
	if y < MinY || y > MaxY {
		return nil, nil
	}
	found := c.read(&c.sections[y>>4-lowest])
	if found.err != nil {
		return nil, nil
	}
	palette = make([]string, len(found.palette))
	for i, e := range found.palette {
		palette[i] = e.state
	}
	return palette, slices.Clone(found.cells)
}
