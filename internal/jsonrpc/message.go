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
	Version      []byte
	Capabilities []byte
	Info         []byte

	version []byte // of JSON-RPC
	odd     bool   // an envelope with a member that a request does not have
	extra   bool   // params that are no object or have a member not named above
	loud    bool   // _meta that is no object or has another member that might matter to a reply
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

// QuietMeta reports whether _meta is not there or changes nothing about a
// reply that comes whole: a token for progress that is never told of, a trace,
// and what else clients note for themselves. None of it may bear a name of the
// protocol's later era.
func (m *Message) QuietMeta() bool {
	return m.Meta == nil || !m.loud && m.Version == nil && m.Capabilities == nil && m.Info == nil
}

// PlainMeta reports whether _meta is there and holds a version without escapes
// and what the client says of itself, and beside that nothing but what is quiet.
func (m *Message) PlainMeta() bool { return m.Meta != nil && !m.loud && plain(m.Version) }

// AppendClient appends all that a client of the later era says of itself, as it
// stands in the message: equal bytes are said by equal members.
func (m *Message) AppendClient(b []byte) []byte {
	for _, member := range [...][]byte{m.Version, m.Capabilities, m.Info} {
		b = append(append(b, member...), 0) // no JSON text holds this byte
	}
	return b
}

// Tool is the name of the tool that a regular message calls.
func (m *Message) Tool() []byte { return inner(m.Name) }

// MetaVersion is the protocol's version in _meta, if that is plain.
func (m *Message) MetaVersion() []byte { return inner(m.Version) }

// quiet reports whether a member of _meta says nothing to whoever does not know
// its name, and can be read by every decoder: it has no escapes, and no numbers
// but short ones.
func quiet(name, value []byte) bool {
	if bytes.HasPrefix(name, protocolName) || bytes.IndexByte(name, '\\') >= 0 {
		return false
	}
	if string(name) == `"progressToken"` {
		return plainID(value)
	}
	const longest = 15 // digits that every decoder keeps
	for len(value) > 0 {
		switch c := value[0]; {
		case c == '\\':
			return false
		case c == '"':
			end := bytes.IndexByte(value[1:], '"') + 2
			if bytes.IndexByte(value[:end], '\\') >= 0 {
				return false
			}
			value = value[end:]
		case c == '-' || '0' <= c && c <= '9':
			rest := bytes.TrimLeft(value, "-0123456789.")
			if len(value)-len(rest) > longest || len(rest) > 0 && rest[0]|0x20 == 'e' {
				return false
			}
			value = rest
		default:
			value = value[1:]
		}
	}
	return true
}

// protocolName begins the names that the protocol keeps for itself.
var protocolName = []byte(`"io.modelcontextprotocol/`)

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
