package tool

import (
	"errors"
	"fmt"
	"strings"
)

var errBlanks = errors.New("must not begin or end with white space, which a header loses")

// separable refuses items, names and members that hold the mark which their
// style puts between them without an encoding of its own: what was one would
// arrive as several.
func separable(v value, mark string) error {
	return v.eachText(func(s string) error {
		if strings.Contains(s, mark) {
			return fmt.Errorf("must not hold %q inside an item", mark)
		}
		return nil
	})
}

// eachText visits the text of a value, or of every item, name and member.
func (v value) eachText(visit func(string) error) error {
	if v.shape == single {
		return visit(v.text)
	}
	for _, s := range v.list {
		if err := visit(s); err != nil {
			return err
		}
	}
	for _, m := range v.fields {
		s, _, err := scalar(m.raw)
		if err == nil {
			err = visit(m.name)
		}
		if err == nil {
			err = visit(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
