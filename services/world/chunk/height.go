package chunk

// Heights are the highest blocks that are not air, by z and x; MinY-1 where a
// column has none. The error is that of the highest section that is needed and
// cannot be read.
func (c *Chunk) Heights() ([256]int32, error) {
	var heights [256]int32
	for i := range heights {
		heights[i] = MinY - 1
	}
	left := len(heights)
	for at := sectionCount - 1; at >= 0 && left > 0; at-- {
		s := &c.sections[at]
		found := c.read(s)
		if found.err != nil {
			return heights, found.err
		}
		left -= found.raise(&heights, s.y<<4)
	}
	return heights, nil
}

// raise sets the heights of the columns that have none yet and end in this
// section, and returns how many there are.
func (f *content) raise(heights *[256]int32, bottom int32) (done int) {
	empty := make([]bool, len(f.palette))
	for i, e := range f.palette {
		empty[i] = isAir(e.state)
	}
	if f.cells == nil && empty[0] {
		return 0
	}
	for y := int32(15); y >= 0; y-- {
		for column := range heights {
			if heights[column] >= MinY {
				continue
			}
			if f.cells == nil || !empty[f.cells[int(y)<<8|column]] {
				heights[column] = bottom + y
				done++
			}
		}
	}
	return done
}

func isAir(state string) bool {
	return state == air || state == "minecraft:cave_air" || state == "minecraft:void_air"
}
