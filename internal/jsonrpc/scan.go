package jsonrpc

// scanner goes over a text that is valid UTF-8. Its functions report false
// once something is wrong, which fault then says.
type scanner struct {
	src    []byte
	pos    int
	tokens int
	fault  Fault
}

func (s *scanner) fail(f Fault) bool {
	if s.fault == "" {
		s.fault = f
	}
	return false
}

// blank skips white space and returns the byte behind it, or 0 at the end.
func (s *scanner) blank() byte {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) token() bool {
	if s.tokens++; s.tokens > MaxTokens {
		return s.fail(TooMany)
	}
	return true
}

// value skips one value that has depth values around it.
func (s *scanner) value(depth int) bool {
	switch c := s.blank(); c {
	case '{':
		more := s.open('}', depth)
		for ; more; more = s.next('}') {
			if _, ok := s.name(); !ok || !s.value(depth+1) {
				return false
			}
		}
		return s.fault == ""
	case '[':
		more := s.open(']', depth)
		for ; more; more = s.next(']') {
			if !s.value(depth + 1) {
				return false
			}
		}
		return s.fault == ""
	case '"':
		return s.token() && s.text()
	case 't':
		return s.token() && s.literal("true")
	case 'f':
		return s.token() && s.literal("false")
	case 'n':
		return s.token() && s.literal("null")
	default:
		return s.token() && s.number()
	}
}

// open consumes the bracket that begins an object or array and says whether
// anything is in it; if not, the end is consumed too.
func (s *scanner) open(end byte, depth int) bool {
	if depth >= MaxDepth {
		return s.fail(TooDeep)
	}
	if !s.token() {
		return false
	}
	s.pos++
	if s.blank() == end {
		s.pos++
		return false
	}
	return true
}

// next consumes what stands behind a member or item and says whether another
// one follows.
func (s *scanner) next(end byte) bool {
	switch s.blank() {
	case ',':
		s.pos++
		return true
	case end:
		s.pos++
		return false
	default:
		return s.fail(NotJSON)
	}
}

// name consumes the name of a member and its colon.
func (s *scanner) name() ([]byte, bool) {
	if s.blank() != '"' {
		return nil, s.fail(NotJSON)
	}
	start := s.pos
	if !s.token() || !s.text() {
		return nil, false
	}
	name := s.src[start:s.pos]
	if s.blank() != ':' {
		return nil, s.fail(NotJSON)
	}
	s.pos++
	return name, true
}

// raw is value with its text.
func (s *scanner) raw(depth int) ([]byte, bool) {
	s.blank()
	start := s.pos
	ok := s.value(depth)
	return s.src[start:s.pos], ok
}

// text skips a string.
func (s *scanner) text() bool {
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '"':
			s.pos = i + 1
			return true
		case c < ' ':
			return s.fail(NotJSON)
		case c == '\\':
			i++
			if i == len(s.src) {
				return s.fail(NotJSON)
			}
			switch s.src[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if _, ok := unit(s.src[i:]); !ok {
					return s.fail(NotJSON)
				}
				i += 4
			default:
				return s.fail(NotJSON)
			}
		}
	}
	return s.fail(NotJSON)
}

// unit reads the code unit of an escape that begins with its u.
func unit(src []byte) (rune, bool) {
	if len(src) < 5 {
		return 0, false
	}
	var r rune
	for _, c := range src[1:5] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func (s *scanner) literal(word string) bool {
	if len(s.src)-s.pos < len(word) || string(s.src[s.pos:s.pos+len(word)]) != word {
		return s.fail(NotJSON)
	}
	s.pos += len(word)
	return true
}

// number skips a number of RFC 8259, section 6.
func (s *scanner) number() bool {
	if s.at('-') {
		s.pos++
	}
	if s.at('0') {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.at('.') {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if s.at('e') || s.at('E') {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.src) && s.src[s.pos] == c }

// digits skips at least one digit.
func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.src) && '0' <= s.src[s.pos] && s.src[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start || s.fail(NotJSON)
}
