package edge

import (
	"fmt"
	"testing"
)

// clause: E-58
func TestKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sizes []int
		want  string
	}{
		{[]int{1, 1, 1}, "[0 1 2]"},
		{[]int{1, 1, 1, 1}, "[1 2 3]"},
		{[]int{4, 4, 4}, "[1 2]"},
		{[]int{4, 4, 10}, "[2]"},
		{[]int{4, 11, 4}, "[0 2]"},
		{[]int{0, 0, 0, 0}, "[1 2 3]"},
	} {
		k := newKept[int](3, 10)
		for i, size := range c.sizes {
			k.put(i, make([]byte, size))
			if _, ok := k.get(i); ok {
				k.put(i, make([]byte, 10)) // the first stays
			}
		}
		var there []int
		size := 0
		for i := range c.sizes {
			if v, ok := k.get(i); ok {
				there = append(there, i)
				size += len(v)
			}
		}
		if got := fmt.Sprint(there); got != c.want || k.size != size || len(k.values) != len(k.order) {
			t.Errorf("sizes %v: %s are kept, %d bytes of %d; want %s", c.sizes, got, size, k.size, c.want)
		}
	}
}
