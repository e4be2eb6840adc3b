package apifuzz

import (
	"maps"
	"slices"
)

// attempts bounds how many requests shrinking sends.
const attempts = 300

// shrink looks for a smaller request that fails in the same kind, and gives it
// with its reply.
func (f *fuzzer) shrink(r *request, a *answer, kind string) (*request, *answer) {
	left := attempts
	for again := true; again; {
		again = false
		for _, c := range smaller(r) {
			if left--; left < 0 {
				return r, a
			}
			if _, ok := c.header[keyHeader]; ok && r.header[keyHeader] != "" {
				c.header[keyHeader] = f.uuid()
			}
			if r.body != nil && (f.doc.fits(r.op.body.schema, c.body) != nil) != r.misfit {
				continue
			}
			b, err := f.send(c)
			if err != nil {
				continue
			}
			if got, _ := f.wrong(c, b); got == kind {
				r, a, again = c, b, true
				break
			}
		}
	}
	return r, a
}

// smaller are requests with one part less each.
func smaller(r *request) (all []*request) {
	with := func(change func(c *request)) {
		c := r.clone()
		change(c)
		all = append(all, c)
	}
	for _, name := range slices.Sorted(maps.Keys(r.query)) {
		with(func(c *request) { delete(c.query, name) })
	}
	if r.raw == nil {
		for _, body := range lesser(r.body) {
			with(func(c *request) { c.body = body })
		}
	}
	return all
}

// lesser are values of JSON with one part less each.
func lesser(value any) (all []any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range sorted(v) {
			c := maps.Clone(v)
			delete(c, name)
			all = append(all, c)
		}
		for _, name := range sorted(v) {
			for _, less := range lesser(v[name]) {
				c := maps.Clone(v)
				c[name] = less
				all = append(all, c)
			}
		}
	case []any:
		for i := range v {
			all = append(all, slices.Delete(slices.Clone(v), i, i+1))
		}
		for i := range v {
			for _, less := range lesser(v[i]) {
				c := slices.Clone(v)
				c[i] = less
				all = append(all, c)
			}
		}
	case string:
		if letters := []rune(v); len(letters) > 1 {
			half := len(letters) / 2
			all = append(all, string(letters[:half]), string(letters[half:]), string(letters[1:]))
		} else if len(letters) == 1 {
			all = append(all, "")
		}
	case float64:
		if v > 1 {
			all = append(all, float64(int64(v/2)), v-1)
		}
	}
	return all
}
