package mesh

import "github.com/pharos-mcp/pharos/services/world/host"

// Column is a chunk with how its blocks look. It does not change.
type Column struct {
	column *host.Column
	looks  [][]*look // of each section's palette; nil where nothing of it is seen
}

// NewColumn keeps the column, which nobody changes any more.
func NewColumn(t *Table, c *host.Column) *Column {
	m := &Column{c, make([][]*look, len(c.Sections))}
	for i := range c.Sections {
		palette := c.Sections[i].Palette
		looks := make([]*look, len(palette))
		seen := false
		for j, state := range palette {
			looks[j] = t.of(state)
			seen = seen || looks[j] != nil
		}
		if seen {
			m.looks[i] = looks
		}
	}
	return m
}

// Revision is the world's when the column was read.
func (c *Column) Revision() uint64 { return c.column.Revision }

// Heights are the highest blocks of the column, as host.Column has them.
func (c *Column) Heights() []int32 { return c.column.Heights() }

// at is the look at x and z from 0 to 15 and y from the bottom of the world.
func (c *Column) at(x, y, z int) *look {
	if c == nil || y < 0 || y>>4 >= len(c.looks) {
		return nil
	}
	looks := c.looks[y>>4]
	if looks == nil {
		return nil
	}
	cells := c.column.Sections[y>>4].Cells
	if cells == nil {
		return looks[0]
	}
	return looks[cells[(y&15)<<8|z<<4|x]]
}

// Around are the columns beside one; nil is air.
type Around struct{ West, East, North, South *Column }

// next is the look beside a position of c, on a side of it.
func (a *Around) next(c *Column, x, y, z int, s Side) *look {
	switch {
	case s == West && x == 0:
		return a.West.at(15, y, z)
	case s == East && x == 15:
		return a.East.at(0, y, z)
	case s == North && z == 0:
		return a.North.at(x, y, 15)
	case s == South && z == 15:
		return a.South.at(x, y, 0)
	}
	at := [3]int{x, y, z}
	if s.positive() {
		at[s.axis()]++
	} else {
		at[s.axis()]--
	}
	return c.at(at[0], at[1], at[2])
}
