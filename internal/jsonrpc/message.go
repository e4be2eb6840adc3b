package jsonrpc

import "bytes"

// Message is one message. Its slices are JSON texts within the body, nil for
// members that are not there.
type Message struct {
	ID     []byte // a string or an integer below 2^53, or null
	Method []byte
	Params []byte

	// The members of params that a call of a tool has.
	Name      []byte
	Arguments []byte
	Meta      []byte

	// The members of params._meta by which a client of the later era names its
	// version and itself.
	Version []byte

	version []byte // of JSON-RPC
	odd     bool   // an envelope with a member that a request does not have
	extra   bool   // params that are no object or have a member not named above
	other   bool   // _meta that is no object or has a member without an effect known here
	deep    bool   // _meta that is no object or has a member that is neither a plain string nor a plain integer
}

// Is reports whether the method is the one named.
func (m *Message) Is(method string) bool { return plain(m.Method) && string(inner(m.Method)) == method }

// Regular reports whether the message is a request that is spelt as clients
// spell theirs: an id that a reply repeats byte for byte, a method and a name
// without escapes, arguments that are an object, and no member beside those
// that Message has.
func (m *Message) Regular() bool {
	return !m.odd && !m.extra && string(m.version) == `"2.0"` && plainID(m.ID) &&
		plain(m.Method) && (m.Name == nil || plain(m.Name)) && (m.Arguments == nil || m.Arguments[0] == '{')
}

// PlainMeta reports whether _meta is there and holds nothing but a version
// without escapes and what the client says of itself.
func (m *Message) PlainMeta() bool {
	return m.Meta != nil && !m.other && m.Version != nil && plain(m.Version)
}

// QuietMeta reports whether _meta is not there or changes nothing about a
// reply that comes whole: a token for progress that is never told of, and what
// clients note for themselves, in plain strings and integers. None of it may
// bear a name of the protocol's later era.
func (m *Message) QuietMeta() bool {
	return m.Meta == nil || !m.deep && !bytes.Contains(m.Meta, []byte("io.modelcontextprotocol/")) &&
		bytes.IndexByte(m.Meta, '\\') < 0
}

// Tool is the name of the tool that a regular message calls.
func (m *Message) Tool() []byte { return inner(m.Name) }

// MetaVersion is the protocol's version in _meta, if that is plain.
func (m *Message) MetaVersion() []byte { return inner(m.Version) }

// plain reports whether a JSON text is a string of printable ASCII without
// escapes: its characters are its bytes, to every decoder and encoder.
func plain(text []byte) bool {
	if len(text) < 2 || text[0] != '"' {
		return false
	}
	for _, c := range text[1 : len(text)-1] {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

func inner(text []byte) []byte {
	if len(text) < 2 {
		return nil
	}
	return text[1 : len(text)-1]
}

// plainID reports whether a reply shows the id in the same bytes: a plain
// string, or an integer in its only spelling.
func plainID(id []byte) bool {
	if len(id) == 0 || id[0] == '"' {
		return plain(id)
	}
	digits := id
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 15 || digits[0] == '0' && len(id) > 1 {
		return false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
