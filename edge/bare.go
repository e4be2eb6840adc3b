package edge

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// bare judges what a handler returned: its own value, checked like a reply.
// Stored bytes that pass are handed on as they are.
func (s *Server) bare(e *entry, a *attempt, reply tool.Result) outcome {
	if reply.Image {
		return outcome{image: &reply}
	}
	if len(reply.Body) == 0 {
		return outcome{}
	}
	result, dropped, err := s.whole(e, reply)
	if err != nil {
		return s.failed(e, a, err)
	}
	return outcome{result: result, dropped: dropped}
}

// renderBare makes the content of the result of a handler catalog's tool. An error
// is text alone unless ErrorObjects has made the output schema promise it.
// Structured content must be an object, so another value stands in a member.
func (s *Server) renderBare(e *entry, o *outcome) content {
	switch {
	case o.code != "":
		code, message := cmp.Or(s.options.ErrorCodes[o.code], o.code), bounded(o.message, maxMessage)
		head := code
		if s.options.StatusErrors {
			head = strconv.Itoa(statusOf(o.code))
		}
		c := content{text: []byte(head + ": " + message), failed: true}
		o.size = len(c.text)
		if s.options.ErrorObjects {
			c.structured = appendErrorObject(nil, code, message)
		}
		return c
	case o.image != nil:
		o.size = len(o.image.Body)
		mediaType, _, _ := strings.Cut(o.image.MediaType, ";")
		return content{image: &tool.Result{MediaType: mediaType, Body: o.image.Body}}
	case o.result == nil:
		return content{}
	default:
		o.size = len(o.result)
		result, picture := s.options.Pictures[e.operation.Tool].lift(o.result)
		c := content{text: result, image: picture}
		if e.wrapped {
			c.structured = append(appendCompact([]byte(`{"result":`), result), '}')
		} else {
			c.structured = appendCompact(nil, result)
		}
		return c
	}
}

// statusOf is the HTTP status that stands for an error's code.
func statusOf(code string) int {
	switch code {
	case codeInvalidArguments:
		return http.StatusUnprocessableEntity
	case codeArgumentsTooLarge:
		return http.StatusRequestEntityTooLarge
	case codeOverloaded:
		return http.StatusServiceUnavailable
	default:
		return fault.Code(code).Status()
	}
}
