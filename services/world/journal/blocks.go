package journal

import "github.com/pharos-mcp/pharos/services/world/geom"

func encodeChanges(changes []Change) []byte {
	blocks := make([]block, len(changes))
	for i, c := range changes {
		blocks[i] = block{c.Pos, [2]string{c.Before, c.After}}
	}
	return encode(blocks, 2)
}

func decodeChanges(packed []byte) ([]Change, error) {
	blocks, err := decode(packed, 2, MaxChanges)
	changes := make([]Change, len(blocks))
	for i, b := range blocks {
		changes[i] = Change{b.Pos, b.states[0], b.states[1]}
	}
	return changes, err
}

func encodeDependencies(dependencies []Dependency) []byte {
	blocks := make([]block, len(dependencies))
	for i, d := range dependencies {
		blocks[i] = block{d.Pos, [2]string{d.State}}
	}
	return encode(blocks, 1)
}

func decodeDependencies(packed []byte) ([]Dependency, error) {
	blocks, err := decode(packed, 1, MaxDependencies)
	dependencies := make([]Dependency, len(blocks))
	for i, b := range blocks {
		dependencies[i] = Dependency{b.Pos, b.states[0]}
	}
	return dependencies, err
}

func encodePositions(positions []geom.Pos) []byte {
	blocks := make([]block, len(positions))
	for i, p := range positions {
		blocks[i] = block{Pos: p}
	}
	return encode(blocks, 0)
}

func decodePositions(packed []byte) ([]geom.Pos, error) {
	blocks, err := decode(packed, 0, MaxChanges)
	positions := make([]geom.Pos, len(blocks))
	for i, b := range blocks {
		positions[i] = b.Pos
	}
	return positions, err
}
