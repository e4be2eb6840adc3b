package tool

import (
	"errors"
	"net/url"
	"strings"
)

// place is a name in the query ('?') or among the cookies (';').
type place struct {
	in   byte
	name string
}

// spread is a member of an exploded object, and whose.
type spread struct {
	place
	owner string
}

var errSpread = errors.New("must not hold a member with the name of another parameter")

// note remembers which names a parameter takes. The members of an exploded
// object stand there like parameters, under names that the caller may have
// chosen.
func (r *RequestBuilder) note(in byte, name string, s Style, v value) {
	r.names = append(r.names, place{in, name})
	if kind := s.kind(); v.shape != object || !s.has(Explode) || kind == DeepObject || kind == JSON {
		return
	}
	for _, m := range v.fields {
		r.spread = append(r.spread, spread{place{in, m.name}, name})
	}
}

// checkSpread refuses members that would pass for another parameter or for
// what the path's own query fixes.
func (r *RequestBuilder) checkSpread() error {
	if len(r.spread) == 0 {
		return nil
	}
	owners := make(map[place]string, len(r.names)+len(r.spread))
	for pair := range strings.SplitSeq(r.fixed, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil && name != "" {
			owners[place{'?', name}] = "" // no parameter's
		}
	}
	for _, n := range r.names {
		owners[n] = n.name
	}
	for _, m := range r.spread {
		if owner, taken := owners[m.place]; taken && owner != m.owner {
			return &ArgumentError{Where: "parameters." + m.owner, Message: errSpread.Error()}
		}
		owners[m.place] = m.owner
	}
	return nil
}
