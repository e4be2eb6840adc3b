package plan

import (
	"cmp"
	"slices"
	"strconv"
)

// palette counts states and gives each a place: the most frequent first, so that
// the places written most are the shortest, and those as frequent by name.
type palette map[string]int

func (p palette) counts() []Count {
	counts := make([]Count, 0, len(p))
	for state, n := range p {
		counts = append(counts, Count{state, n})
	}
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.State, b.State))
	})
	return counts
}

// places are the places of states in counts, as text.
func places(counts []Count) map[string]string {
	places := make(map[string]string, len(counts))
	for i, c := range counts {
		places[c.State] = strconv.Itoa(i)
	}
	return places
}
