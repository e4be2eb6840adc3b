package engine

import (
	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// person is somebody in a building when it begins to burn.
type person struct {
	tolerance int64 // kJ of damage that they survive
	leave     int64 // age of the fire at which they walk out
	trapped   bool  // they do not
	fate      fate
}

type fate int

const (
	inside fate = iota
	walked
	rescued
	casualty
)

var fates = [...]string{"inside", "walked_out", "rescued", "casualty"}

// occupants are the people in a building, whatever the moment it burns.
func occupants(seed int64, number int64, class city.Class) []person {
	s := stream.New(seed, "occupants", number, 0)
	people := make([]person, s.Pick(300, 250, 200, 120, 80, 50))
	for i := range people {
		people[i] = person{
			tolerance: s.Range(6000, 30000), leave: s.Range(3, 8), trapped: s.Permille(materials[class].trapped),
		}
	}
	return people
}

// rescue brings out one person for each truck of the crew, those first who can
// bear least, and says how many.
func rescue(people []person, crew int) (out int) {
	for range crew {
		next := -1
		for i, p := range people {
			if p.fate == inside && (next < 0 || p.tolerance < people[next].tolerance) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		people[next].fate = rescued
		out++
	}
	return out
}

// suffer decides about those who are still inside after a tick of fire: who
// has borne too much, and who walks out. It gives the number of casualties.
func suffer(people []person, f fire, status Status) (dead int64) {
	for i := range people {
		p := &people[i]
		switch {
		case p.fate != inside:
		case f.damage >= p.tolerance || status == Collapsed:
			p.fate = casualty
			dead++
		case !p.trapped && f.age >= p.leave:
			p.fate = walked
		}
	}
	return dead
}

// heads counts who is inside.
func heads(people []person) (n int64) {
	for _, p := range people {
		if p.fate == inside {
			n++
		}
	}
	return n
}
