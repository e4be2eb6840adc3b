package edge

import (
	"context"
	"net/http"

	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/jsonrpc"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// turnDown refuses a request and tells of the call that it is or may have been.
func (s *Server) turnDown(w http.ResponseWriter, r *http.Request, status int, message string) {
	s.turnDownFor(nil, w, r, status, message)
}

// turnDownFor is turnDown once it is known who asks.
func (s *Server) turnDownFor(p *Principal, w http.ResponseWriter, r *http.Request, status int, message string) {
	if r.Method == http.MethodPost {
		s.tellRefused(r.Context(), p, httpguard.Body(r), status)
	}
	refuse(w, r, status, message)
}

// tellRefused tells of a body that was refused, unless it is known to be no
// call. What cannot be read, or was not, is a call of an unknown tool.
func (s *Server) tellRefused(ctx context.Context, p *Principal, body []byte, status int) {
	m, err := jsonrpc.Parse(body)
	if err != nil || m.Is("tools/call") {
		s.refusedCall(ctx, p, string(m.Tool()), status)
	}
}

// refusedCall tells of a call that was refused with a status before it began
// (E-57). Its outcome is one word for each kind of status; a name that is not
// the catalog's is not told.
func (s *Server) refusedCall(ctx context.Context, p *Principal, name string, status int) {
	event := observe.Event{Tool: observe.Unknown, Outcome: refusalCode(status), Code: refusalCode(status), Refused: status, Request: requestID(ctx)}
	if e := s.tools[name]; e != nil {
		event.Tool, event.Operation = e.operation.Tool, e.operation.ID
	}
	if p != nil {
		event.Caller = p.Subject
	}
	s.observer.Record(ctx, nil, event)
}

// tellUntold tells of a call that the SDK has answered by itself.
func (s *Server) tellUntold(q *request) {
	name := string(q.message.Tool())
	if q.context.Err() != nil || q.told.Load() || !q.message.Is("tools/call") || s.extension.Adds(name) {
		return // a client that left may have left its call behind, which tells of itself
	}
	s.refusedCall(q.context, q.principal, name, q.status)
}
