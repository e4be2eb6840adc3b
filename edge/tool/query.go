package tool

import (
	"errors"
	"strconv"
	"strings"
)

var (
	errObject   = errors.New("must be an object")
	errNested   = errors.New("must not be nested deeper than one level")
	errBrackets = errors.New("must not hold [ or ] in the name of a member")
)

// appendQuery adds a parameter to an encoded query.
func appendQuery(dst []byte, name string, s Style, v value) ([]byte, error) {
	if v.shape == absent {
		return dst, nil
	}
	before := len(dst)
	if before > 0 {
		dst = append(dst, '&')
	}
	start := len(dst)
	x := formSyntax
	switch s.kind() {
	case SpaceDelimited:
		x = spaceSyntax
	case PipeDelimited:
		x = pipeSyntax
	}
	if s.has(Reserved) {
		x.safe = reserved
		if x.delimiter == "" {
			x.delimiter = x.join // which is reserved too
		}
	}
	if mark := x.delimiter; mark != "" && !s.has(Explode) && v.shape != single {
		if err := separable(v, mark); err != nil {
			return dst[:before], err
		}
	}
	var err error
	if s.kind() == DeepObject {
		dst, err = appendDeep(dst, name, &x, v)
	} else {
		dst, err = x.append(dst, name, s.has(Explode), v)
	}
	if err != nil || len(dst) == start {
		return dst[:before], err // a deep object may turn out empty
	}
	return dst, nil
}

// appendDeep writes name[member]=value for each member, and repeats it for the
// items of an array. OpenAPI leaves open what other values are; a union of a
// range and a plain value is common, and so are indexed items: name=value and
// name[0]=value.
func appendDeep(dst []byte, name string, x *syntax, v value) ([]byte, error) {
	switch v.shape {
	case single:
		return x.item(dst, name, v.text), nil
	case list:
		for i, s := range v.list {
			if i > 0 {
				dst = append(dst, x.each...)
			}
			dst = x.item(dst, name+"["+strconv.Itoa(i)+"]", s)
		}
		return dst, nil
	}
	n := 0
	for _, m := range v.fields {
		if strings.ContainsAny(m.name, "[]") {
			return dst, errBrackets // it would read as a deeper member
		}
		inner, err := rawValue(m.raw)
		if err != nil {
			return dst, err
		}
		if inner.shape == object || inner.shape == list && nested(m.raw) {
			return dst, errNested
		}
		texts := inner.list
		if inner.shape == single {
			texts = []string{inner.text}
		}
		for _, s := range texts {
			if n++; n > 1 {
				dst = append(dst, x.each...)
			}
			dst = x.item(dst, name+"["+m.name+"]", s)
		}
	}
	return dst, nil
}

// nested reports whether an array holds an array or object.
func nested(raw []byte) bool {
	elements, _ := items(raw)
	for _, element := range elements {
		if c := first(element); c == '[' || c == '{' {
			return true
		}
	}
	return false
}
