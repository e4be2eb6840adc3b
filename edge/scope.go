package edge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// unknownTool is how the error of a call begins whose tool is not there.
const unknownTool = "unknown tool"

// errInternal is all that a client learns of a mistake of ours.
var errInternal = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}

// contain keeps what goes wrong in a message inside it: a panic would end the
// process, because the SDK handles messages outside of net/http's own care,
// and the text of an error would reach the client as it is.
func (s *Server) contain(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, message mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log.ErrorContext(ctx, "message", "method", method, "error", ofPanic(p))
				result, err = nil, errInternal
			}
		}()
		result, err = next(ctx, method, message)
		if _, ok := errors.AsType[*jsonrpc.Error](err); err != nil && !ok {
			s.log.ErrorContext(ctx, "message", "method", method, "error", err)
			err = errInternal
		}
		return result, err
	}
}

// scoped shows a caller the tools that its scopes allow and lets it call no
// others (E-21); both ask the same question of the same entry.
func (s *Server) scoped(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, message mcp.Request) (mcp.Result, error) {
		request := requestOf(message)
		switch method {
		case "tools/list":
			if err := s.reserveList(ctx, request); err != nil {
				return nil, err
			}
			result, err := next(ctx, method, message)
			if list, ok := result.(*mcp.ListToolsResult); ok && list != nil {
				list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return !s.allowed(request, t.Name) })
			}
			return result, err
		case "tools/call":
			params, ok := message.GetParams().(*mcp.CallToolParamsRaw)
			if !ok || params == nil {
				return nil, errInternal
			}
			if s.extension.Adds(params.Name) {
				break
			}
			e := s.tools[params.Name]
			if e == nil {
				s.turnedAway(ctx, request, nil, outcomeUnknownTool)
				name := bounded(params.Name, 64)
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(unknownTool+" %q", name)}
			}
			if !s.allowed(request, params.Name) {
				s.turnedAway(ctx, request, e, outcomeForbidden)
				return nil, s.insufficient(request, e)
			}
		}
		return next(ctx, method, message)
	}
}

func (s *Server) allowed(r *request, name string) bool {
	if s.extension.Adds(name) {
		return true
	}
	e := s.tools[name]
	return e != nil && r != nil && r.principal.Allows(e.operation.Scope)
}

// insufficient makes the reply a 403 that tells the client which token to get
// (E-34).
func (s *Server) insufficient(r *request, e *entry) error {
	if r == nil {
		return errInternal
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.challenge = stepUp(r.principal, e.operation.Scope, s.auth.ResourceMetadata()).String()
	return &jsonrpc.Error{Code: http.StatusForbidden, Message: "insufficient scope"}
}
