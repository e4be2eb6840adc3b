package jsonrpc

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Fault says why a body is refused, in words for the caller.
type Fault string

// Error gives the words.
func (f Fault) Error() string { return string(f) }

// The faults of a body.
const (
	NotJSON   Fault = "the body is not one JSON-RPC message: it is not one JSON value in UTF-8"
	NotObject Fault = "the body is not one JSON-RPC message"
	Batch     Fault = "send one message a request"
	TooDeep   Fault = "the body is nested deeper than 32 levels"
	TooMany   Fault = "the body holds more than 20000 values and names"
	Both      Fault = "a message is a request or a reply, not both"
	Twice     Fault = "a member of the message stands twice"
	WrongCase Fault = "a member of the message is written in another letter case"
	WrongID   Fault = "an id is a string of whole characters or an integer below 2^53"
	HalfPair  Fault = "a string of the message holds half of a surrogate pair"
)

// The names that decide what a message does.
var (
	envelopeNames = names("jsonrpc", "id", "method", "params", "result", "error")
	paramsNames   = names("name", "arguments", "_meta")
	metaNames     = names("io.modelcontextprotocol/protocolVersion",
		"io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/clientInfo")
)

// most is room for one flag a name.
const most = 6

func names(list ...string) [][]byte {
	all := make([][]byte, len(list))
	for i, name := range list {
		all[i] = []byte(name)
	}
	return all
}

// longest is room for any of the names in any letter case.
const longest = 64

// Parse reads a body. Its error is a Fault; the message then has the id of the
// request if that can be told, and nothing else.
func Parse(body []byte) (Message, error) {
	m, fault := parse(body)
	if fault != "" {
		return Message{ID: ID(body)}, fault
	}
	return m, nil
}

func parse(body []byte) (m Message, fault Fault) {
	if !utf8.Valid(body) {
		return m, NotJSON
	}
	s := scanner{src: body}
	switch s.blank() {
	case '{':
		s.envelope(&m)
	case '[':
		return m, Batch
	default:
		if s.value(0) {
			s.fail(NotObject)
		}
	}
	if s.fault == "" && (s.blank() != 0 || s.pos < len(body)) {
		s.fail(NotJSON)
	}
	return m, s.fault
}

// envelope reads the message's own members.
func (s *scanner) envelope(m *Message) {
	var seen [most]bool
	reply := false
	for more := s.open('}', 0); more; more = s.next('}') {
		which, ok := s.known(envelopeNames, &seen)
		if !ok {
			return
		}
		if which == 3 {
			if !s.params(m) {
				return
			}
			continue
		}
		raw, ok := s.raw(1)
		if !ok {
			return
		}
		switch which {
		case 0:
			m.version = raw
		case 1:
			if m.ID = raw; !s.id(raw) {
				return
			}
		case 2:
			if m.Method = raw; !s.whole(raw) {
				return
			}
		default:
			m.odd = true
			reply = reply || which > 3
		}
	}
	if reply && m.Method != nil {
		s.fail(Both)
	}
}

// params reads the params.
func (s *scanner) params(m *Message) bool {
	start := 0
	defer func() { m.Params = s.src[start:s.pos] }()
	first := s.blank()
	start = s.pos
	if first != '{' {
		m.extra = true
		return s.value(1)
	}
	var seen [most]bool
	for more := s.open('}', 1); more; more = s.next('}') {
		which, ok := s.known(paramsNames, &seen)
		if !ok {
			return false
		}
		if which == 2 {
			if !s.meta(m) {
				return false
			}
			continue
		}
		raw, ok := s.raw(2)
		switch {
		case !ok:
			return false
		case which == 0:
			if m.Name = raw; !s.whole(raw) {
				return false
			}
		case which == 1:
			m.Arguments = raw
		default:
			m.extra = true
		}
	}
	return s.fault == ""
}

// meta reads params._meta.
func (s *scanner) meta(m *Message) bool {
	first := s.blank()
	start := s.pos
	defer func() { m.Meta = s.src[start:s.pos] }()
	if first != '{' {
		m.loud = true
		return s.value(2)
	}
	var seen [most]bool
	for more := s.open('}', 2); more; more = s.next('}') {
		s.blank()
		name := s.src[s.pos:]
		which, ok := s.known(metaNames, &seen)
		if !ok {
			return false
		}
		name = bytes.TrimRight(name[:len(name)-len(s.src[s.pos:])], ": \t\r\n")
		raw, ok := s.raw(3)
		switch {
		case !ok:
			return false
		case which == 0:
			m.Version = raw
		case which == 1:
			m.Capabilities = raw
		case which == 2:
			m.Info = raw
		default:
			m.loud = m.loud || !quiet(name, raw)
		}
	}
	return s.fault == ""
}

// known consumes the name of a member and says which of the names it is, or
// -1. It fails on one that stands twice or is nearly one of them.
func (s *scanner) known(names [][]byte, seen *[most]bool) (which int, ok bool) {
	raw, ok := s.name()
	if !ok {
		return -1, false
	}
	var room [longest]byte
	name := raw[1 : len(raw)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = unescape(room[:0], name)
	}
	for i, n := range names {
		if bytes.Equal(name, n) {
			if seen[i] {
				return -1, s.fail(Twice)
			}
			seen[i] = true
			return i, true
		}
	}
	for _, n := range names {
		if len(name) <= longest && bytes.EqualFold(name, n) {
			return -1, s.fail(WrongCase)
		}
	}
	return -1, true
}

// unescape appends the characters of a string, as far as there is room. What
// is longer than the room is none of the names.
func unescape(dst, text []byte) []byte {
	for i := 0; i < len(text) && len(dst)+utf8.UTFMax <= cap(dst); i++ {
		c := text[i]
		if c != '\\' {
			dst = append(dst, c)
			continue
		}
		i++
		if text[i] != 'u' {
			dst = append(dst, escapes[text[i]])
			continue
		}
		r, _ := unit(text[i:])
		i += 4
		if utf16.IsSurrogate(r) && i+2 < len(text) && text[i+1] == '\\' {
			if low, ok := unit(text[i+2:]); ok && text[i+2] == 'u' {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					r, i = pair, i+6
				}
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// escapes are the characters of the short escapes.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// whole fails on a string with half of a surrogate pair, which decoders turn
// into another character.
func (s *scanner) whole(raw []byte) bool {
	if raw[0] != '"' {
		return true
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if raw[i] != 'u' {
			continue
		}
		r, _ := unit(raw[i:])
		i += 4
		if !utf16.IsSurrogate(r) {
			continue
		}
		low, ok := rune(0), false
		if raw[i+1] == '\\' && raw[i+2] == 'u' {
			low, ok = unit(raw[i+2:])
		}
		if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
			return s.fail(HalfPair)
		}
		i += 6
	}
	return true
}

// id fails on an id that a reply could not repeat.
func (s *scanner) id(raw []byte) bool {
	if usableID(raw) || raw[0] == 'n' {
		return true
	}
	return s.fail(WrongID)
}

// usableID reports whether a JSON text is an id that a reply can repeat.
func usableID(raw []byte) bool {
	switch c := raw[0]; {
	case c == '"':
		var s scanner
		return s.whole(raw)
	case c == '-' || '0' <= c && c <= '9':
		const bound = 1 << 53
		if len(raw) > 32 {
			return false
		}
		f, err := strconv.ParseFloat(string(raw), 64)
		return err == nil && -bound < f && f < bound && f == float64(int64(f))
	default:
		return false
	}
}
