package geom

import (
	"fmt"
	"math"
)

// measurement is what a list of operations comes to once its repeats are
// written out. Numbers that grow beyond any limit stay at the largest int64.
type measurement struct {
	operations, work int64
	low, high        [3]int64
}

// meter checks operations against the limits and reckons what they cost,
// without doing any of it. What it spends itself is bounded, too: it looks at
// each operation once and counts no shape before its rows are within the work.
type meter struct {
	limits Limits
	spent  int64 // on counting
}

func (m *meter) list(at string, operations []Operation, depth int) (measurement, *Error) {
	switch n := len(operations); {
	case n == 0:
		return measurement{}, invalid(at+"/operations", "there is no operation; give at least one")
	case n > m.limits.List:
		return measurement{}, budget(at+"/operations", "%d operations are more than the %d that one list may have", n, m.limits.List)
	}
	var sum measurement
	for i, o := range operations {
		here := fmt.Sprintf("%s/operations/%d", at, i)
		one, err := m.one(here, o, depth)
		if err != nil {
			return measurement{}, err
		}
		if i == 0 {
			sum.low, sum.high = one.low, one.high
		}
		for axis := range sum.low {
			sum.low[axis] = min(sum.low[axis], one.low[axis])
			sum.high[axis] = max(sum.high[axis], one.high[axis])
		}
		sum.operations = plus(sum.operations, one.operations)
		sum.work = plus(sum.work, one.work)
		if err := m.within(here, sum); err != nil {
			return measurement{}, err
		}
	}
	return sum, nil
}

func (m *meter) within(at string, sum measurement) *Error {
	if sum.operations > int64(m.limits.Expanded) {
		return budget(at, "with its repeats written out, the recipe has more than %d operations up to here; use fewer rounds or "+
			"larger shapes", m.limits.Expanded)
	}
	if plus(sum.work, m.spent) > m.limits.Work {
		return budget(at, "the recipe goes over more than %d positions up to here, those of overlapping operations each time; "+
			"use smaller shapes or fewer rounds", m.limits.Work)
	}
	return nil
}

func (m *meter) one(at string, o Operation, depth int) (measurement, *Error) {
	if r, ok := o.(Repeat); ok {
		return m.repeat(at, r, depth)
	}
	s, err := m.shape(at, o)
	if err != nil {
		return measurement{}, err
	}
	low, high := s.bounds()
	if err := reachable(at, low, high); err != nil {
		return measurement{}, err
	}
	m.spent = plus(m.spent, s.rows())
	if err := m.within(at, measurement{}); err != nil {
		return measurement{}, err
	}
	n := s.count()
	if n > int64(m.limits.Result) {
		return measurement{}, budget(at, "it has %d positions, and a plan may have %d; build it in parts", n, m.limits.Result)
	}
	return measurement{operations: 1, work: n, low: low, high: high}, nil
}

func (m *meter) repeat(at string, r Repeat, depth int) (measurement, *Error) {
	if depth >= m.limits.Depth {
		return measurement{}, budget(at, "repeats may stand within each other %d deep", m.limits.Depth)
	}
	if err := m.parameter(at+"/count", int64(r.Count), 1, m.limits.Repeat); err != nil {
		return measurement{}, err
	}
	for axis, way := range wide(r.Offset) {
		if bound := 2 * int64(bounds[axis]); way < -bound || way > bound {
			return measurement{}, invalid(at+"/offset/"+names[axis], "%d is not within ±%d", way, bound)
		}
	}
	inner, err := m.list(at, r.Operations, depth+1)
	if err != nil {
		return measurement{}, err
	}
	rounds := int64(r.Count)
	for axis, way := range wide(r.Offset) {
		last := way * (rounds - 1)
		inner.low[axis] += min(0, last)
		inner.high[axis] += max(0, last)
	}
	if err := reachable(at, inner.low, inner.high); err != nil {
		return measurement{}, err
	}
	inner.operations = times(inner.operations, rounds)
	inner.work = times(inner.work, rounds)
	return inner, nil
}

// shape checks the parameters of an operation that is no repeat.
func (m *meter) shape(at string, o Operation) (shape, *Error) {
	block, radius, height := "", int32(0), int32(1)
	var s shape
	switch o := o.(type) {
	case Cuboid:
		block, s = o.Block, o
	case Line:
		block, s = o.Block, o
	case Cylinder:
		block, radius, height, s = o.Block, o.Radius, o.Height, o
	case Sphere:
		block, radius, s = o.Block, o.Radius, o
	case Replace:
		if o.From == "" {
			return nil, invalid(at+"/from", "it is empty; name the block to replace")
		}
		block, s = o.Block, o
	default:
		return nil, invalid(at, "%T is no operation", o)
	}
	if block == "" {
		return nil, invalid(at+"/block", "it is empty; name a block")
	}
	if err := m.parameter(at+"/radius", int64(radius), 0, m.limits.Radius); err != nil {
		return nil, err
	}
	if err := m.parameter(at+"/height", int64(height), 1, m.limits.Height); err != nil {
		return nil, err
	}
	return s, nil
}

func (m *meter) parameter(at string, value, least int64, most int) *Error {
	if value < least || value > int64(most) {
		return invalid(at, "%d is not within %d to %d", value, least, most)
	}
	return nil
}

var (
	names  = [3]string{"x", "y", "z"}
	bounds = [3]int{MaxXZ, MaxY, MaxXZ}
)

// reachable refuses corners outside the coordinates of a world.
func reachable(at string, low, high [3]int64) *Error {
	for axis, bound := range bounds {
		for _, v := range []int64{low[axis], high[axis]} {
			if v < -int64(bound) || v > int64(bound) {
				return invalid(at, "it reaches %s = %d, which is not within ±%d", names[axis], v, bound)
			}
		}
	}
	return nil
}

// plus and times are of numbers that are not negative.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
