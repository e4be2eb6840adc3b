package tool

// syntax is an operator of RFC 6570: how the values of a style are joined.
type syntax struct {
	first string // before everything
	each  string // between exploded items and members
	join  string // between items otherwise
	named bool   // the parameter's name is part of it
	empty string // what follows a name without a value
	// delimiter is what join stands for, where items that hold it are encoded
	// just like it.
	delimiter string
	names     *class
	safe      *class // bytes of values that are not encoded; nil: all
}

var (
	simpleSyntax = syntax{each: ",", join: ",", names: unreserved, safe: unreserved}
	labelSyntax  = syntax{first: ".", each: ".", join: ",", names: unreserved, safe: unreserved}
	matrixSyntax = syntax{first: ";", each: ";", join: ",", named: true, names: unreserved, safe: unreserved}
	formSyntax   = syntax{each: "&", join: ",", named: true, empty: "=", names: unreserved, safe: unreserved}
	spaceSyntax  = syntax{each: "&", join: "%20", delimiter: " ", named: true, empty: "=", names: unreserved, safe: unreserved}
	pipeSyntax   = syntax{each: "&", join: "%7C", delimiter: "|", named: true, empty: "=", names: unreserved, safe: unreserved}
	headerSyntax = syntax{each: ",", join: ","}
	cookieSyntax = syntax{each: "; ", join: ",", named: true, empty: "=", names: token, safe: unreserved}
)

// append writes a value that is there.
func (x *syntax) append(dst []byte, name string, explode bool, v value) ([]byte, error) {
	dst = append(dst, x.first...)
	switch v.shape {
	case single:
		return x.item(dst, name, v.text), nil
	case list:
		return x.appendList(dst, name, explode, v.list), nil
	default:
		return x.appendObject(dst, name, explode, v.fields)
	}
}

func (x *syntax) appendList(dst []byte, name string, explode bool, texts []string) []byte {
	if explode {
		for i, s := range texts {
			if i > 0 {
				dst = append(dst, x.each...)
			}
			dst = x.item(dst, name, s)
		}
		return dst
	}
	dst = x.head(dst, name, len(texts) == 1 && texts[0] == "")
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, x.join...)
		}
		dst = appendEscaped(dst, s, x.safe)
	}
	return dst
}

func (x *syntax) appendObject(dst []byte, name string, explode bool, fields []member) ([]byte, error) {
	if !explode {
		dst = x.head(dst, name, false)
	}
	for i, m := range fields {
		s, _, err := scalar(m.raw)
		if err != nil {
			return dst, err
		}
		if explode {
			if i > 0 {
				dst = append(dst, x.each...)
			}
			dst = x.pair(dst, m.name, s)
			continue
		}
		if i > 0 {
			dst = append(dst, x.join...)
		}
		dst = appendEscaped(dst, m.name, x.names)
		dst = append(dst, x.join...)
		dst = appendEscaped(dst, s, x.safe)
	}
	return dst, nil
}

// item writes one value, under the parameter's name where the syntax has it.
func (x *syntax) item(dst []byte, name, s string) []byte {
	return appendEscaped(x.head(dst, name, s == ""), s, x.safe)
}

// head writes the parameter's name where the syntax has it.
func (x *syntax) head(dst []byte, name string, empty bool) []byte {
	if !x.named {
		return dst
	}
	dst = appendEscaped(dst, name, x.names)
	if empty {
		return append(dst, x.empty...)
	}
	return append(dst, '=')
}

// pair writes one member of an exploded object.
func (x *syntax) pair(dst []byte, name, s string) []byte {
	dst = appendEscaped(dst, name, x.names)
	if s == "" && x.named {
		return append(dst, x.empty...)
	}
	dst = append(dst, '=')
	return appendEscaped(dst, s, x.safe)
}
