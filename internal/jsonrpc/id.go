package jsonrpc

import "unicode/utf8"

// ID finds the id of a message in a body that need not be whole or valid: the
// only member of that name that the message itself has. It is nil where there
// is none, several, or one that is no id.
func ID(body []byte) []byte {
	s := scanner{src: body}
	if s.blank() != '{' {
		return nil
	}
	var id []byte
	depth, name := 0, false // name: the next string is a name of the message
	for s.pos < len(body) {
		start := s.pos
		switch c := body[s.pos]; c {
		case '{', '[':
			depth++
			name = depth == 1
			s.pos++
		case '}', ']':
			depth--
			s.pos++
			if depth == 0 {
				return id
			}
		case ',':
			name = depth == 1
			s.pos++
		case '"':
			if !s.text() {
				return id
			}
			if !name {
				continue
			}
			name = false
			if string(body[start:s.pos]) != `"id"` || s.blank() != ':' {
				continue
			}
			s.pos++
			if id != nil {
				return nil
			}
			if id = s.scalar(); id == nil {
				return nil
			}
		default:
			s.pos++
		}
	}
	return id
}

// scalar returns a string or number that an id may be, or nil.
func (s *scanner) scalar() []byte {
	c := s.blank()
	start := s.pos
	ok := c == '"' && s.text() || c != '"' && s.number()
	if raw := s.src[start:s.pos]; ok && s.pos < len(s.src) && utf8.Valid(raw) && usableID(raw) {
		return raw
	}
	return nil
}
