package edge

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/jsonrpc"
)

// shortcuts is what regular messages are answered with in the SDK's place.
//
// The SDK is right about every message but spends more on one than everything
// else together. So it stays the judge of all that is not regular, and what is
// regular has the same reply, byte for byte.
type shortcuts struct {
	off bool // for tests: the SDK answers everything

	scopes []string       // all that the catalog asks for, in order
	server []byte         // how results of the later era name the server
	lists  *kept[listKey] // replies to tools/list, without what stands before the id's end
	metas  keptKeys       // what clients say of themselves in _meta and the SDK lets pass, whatever the message
}

// The bounds of what is kept (E-58).
const (
	maxLists     = 64
	maxListBytes = 64 << 20
	maxMetas     = 256
	maxMetaSize  = 4 << 10
)

func newShortcuts(catalog tool.Catalog, version string) *shortcuts {
	server, _ := json.Marshal(&mcp.Implementation{Name: catalog.Name, Version: version}) // strings always encode
	return &shortcuts{
		scopes: scopesOf(catalog), server: server,
		lists: newKept[listKey](maxLists, maxListBytes), metas: keptKeys{newKept[string](maxMetas, 0)},
	}
}

// later is the version of the protocol that has no handshake.
const later = "2026-07-28"

// versions are those that a client may name in a header; the first stands for
// no header.
var versions = [...]string{"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", later}

// plan says who answers a message, and how. The zero plan is that of the SDK.
type plan struct {
	version int    // index in versions
	call    *entry // the tool to call
	list    bool   // the tools are asked for
	learn   bool   // the SDK judges the _meta, which is kept if it lets that pass
}

// planFor looks at a message once, before anything is done about it.
func (s *Server) planFor(r *http.Request, q *request) plan {
	if s.sessions != nil || s.shortcuts.off {
		return plan{}
	}
	version := regular(r, q)
	if version < 0 {
		return plan{}
	}
	if versions[version] == later && !s.shortcuts.knows(&q.message) {
		return plan{learn: true}
	}
	p := plan{version: version}
	switch {
	case q.message.Is("tools/call"):
		e := s.tools[string(q.message.Tool())]
		if e != nil && !e.mirrored && q.principal.Allows(e.operation.Scope) {
			p.call = e
		}
	case q.message.Is("tools/list"):
		p.list = q.message.Name == nil && q.message.Arguments == nil
	}
	return p
}

// shorten answers messages as planned, and leaves all others to next.
func (s *Server) shorten(next stage) stage {
	return func(w http.ResponseWriter, r *http.Request, q *request) {
		switch p := &q.plan; {
		case p.call != nil:
			s.answerCall(w, r, q)
		case p.list:
			s.answerList(w, r, q, next)
		default:
			next(w, r, q)
			if p.learn {
				s.shortcuts.learn(q)
			}
		}
	}
}

// learn keeps what the client of a message says of itself, which the SDK checks
// before anything else of a message: it has answered this one.
func (c *shortcuts) learn(q *request) {
	if client := q.message.AppendClient(nil); q.status == http.StatusOK && len(client) <= maxMetaSize {
		c.metas.add(client)
	}
}

// knows reports whether the SDK has let pass what a client says of itself.
func (c *shortcuts) knows(m *jsonrpc.Message) bool {
	var room [512]byte
	return c.metas.has(m.AppendClient(room[:0]))
}

// regular returns the index of the version that a request is made in, or -1 for
// one that is for the SDK alone to judge.
func regular(r *http.Request, q *request) (version int) {
	m := &q.message
	if r.Method != http.MethodPost || !m.Regular() || !plainHeaders(r.Header) {
		return -1
	}
	named, ok := single(r.Header, "Mcp-Protocol-Version")
	version = slices.Index(versions[:], named)
	switch {
	case !ok || version < 0:
		return -1
	case named != later:
		if !m.QuietMeta() {
			return -1
		}
		return version
	}
	method, _ := single(r.Header, "Mcp-Method")
	name, ok := single(r.Header, "Mcp-Name")
	if !ok || !m.PlainMeta() || string(m.MetaVersion()) != later || !m.Is(method) || name != string(m.Tool()) {
		return -1
	}
	return version
}

// plainHeaders reports whether the headers are as clients send them: JSON for
// JSON or a stream, and no session or stream to go on with.
func plainHeaders(h http.Header) bool {
	contentType, _ := single(h, "Content-Type")
	accept, ok := single(h, "Accept")
	if contentType != "application/json" || !ok || h["Last-Event-Id"] != nil || h["Mcp-Session-Id"] != nil {
		return false
	}
	var both [2]bool
	for part := range strings.SplitSeq(accept, ",") {
		switch strings.TrimSpace(part) {
		case "application/json":
			both[0] = true
		case "text/event-stream":
			both[1] = true
		case "*/*":
			both = [2]bool{true, true}
		default:
			return false
		}
	}
	return both[0] && both[1]
}

// single returns a header that is there once, or "" where it is not there.
func single(h http.Header, name string) (value string, ok bool) {
	values := h[name]
	switch len(values) {
	case 0:
		return "", true
	case 1:
		return values[0], true
	default:
		return "", false
	}
}
