package edge

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// The bounds of what a caller gets.
const (
	maxMessage  = 512     // of an error's message, in bytes (E-16)
	maxEnvelope = 4 << 20 // of an envelope, which is sent twice (E-13)
)

// content is what a caller gets of an outcome, in the parts that MCP has for it.
type content struct {
	text       []byte       // the only text; nil without one
	structured []byte       // compact JSON; nil without
	image      *tool.Result // behind the text
	failed     bool
	buffer     []byte // what the text is in, if that may be used again
}

// result is the content for the SDK.
func (c content) result() *mcp.CallToolResult {
	r := &mcp.CallToolResult{IsError: c.failed, Content: []mcp.Content{}}
	if c.text != nil {
		r.Content = append(r.Content, &mcp.TextContent{Text: string(c.text)})
	}
	if c.image != nil {
		r.Content = append(r.Content, &mcp.ImageContent{MIMEType: c.image.MediaType, Data: c.image.Body})
	}
	if c.structured != nil {
		r.StructuredContent = json.RawMessage(c.structured)
	}
	return r
}

// append writes the members of a result as the SDK does.
func (c content) append(b []byte) []byte {
	b = append(b, `"content":[`...)
	if c.text != nil {
		b = appendJSONString(append(b, `{"type":"text","text":`...), c.text)
		b = append(b, '}')
	}
	if c.image != nil {
		if c.text != nil {
			b = append(b, ',')
		}
		b = appendJSONString(append(b, `{"type":"image","mimeType":`...), c.image.MediaType)
		b = base64.StdEncoding.AppendEncode(append(b, `,"data":"`...), c.image.Body)
		b = append(b, `"}`...)
	}
	b = append(b, ']')
	if c.structured != nil {
		b = append(append(b, `,"structuredContent":`...), c.structured...)
	}
	if c.failed {
		b = append(b, `,"isError":true`...)
	}
	return b
}

// render makes the content out of an outcome: the envelope of E-14 as
// structured content and, the same bytes, as text. It may use the buffer.
func (s *Server) render(buffer []byte, e *entry, o *outcome) content {
	if s.catalog.Bare {
		return s.renderBare(e, o)
	}
	data := appendEnvelope(slices.Grow(buffer[:0], len(o.result)+256), e.operation, o)
	if len(data) > maxEnvelope {
		large := s.tooLarge(e, maxEnvelope)
		large.status, large.dropped = o.status, o.dropped
		*o = large.unknownIf(e.operation.Effect != tool.Read, s.ifUnknown())
		data = appendEnvelope(data[:0], e.operation, o)
	}
	o.size = len(data)
	return content{text: data, structured: data, failed: o.code != "" || o.status >= 400, buffer: data}
}

// appendEnvelope writes {operation_id, status?, result? | error?}.
func appendEnvelope(b []byte, op *tool.Operation, o *outcome) []byte {
	b = appendJSONString(append(b, `{"operation_id":`...), op.ID)
	if o.status != 0 {
		b = strconv.AppendInt(append(b, `,"status":`...), int64(o.status), 10)
	}
	if o.code == "" && o.result != nil {
		b = appendCompact(append(b, `,"result":`...), o.result)
	}
	if o.code != "" {
		b = appendJSONString(append(b, `,"error":{"code":`...), o.code)
		b = appendJSONString(append(b, `,"message":`...), bounded(o.message, maxMessage))
		if o.unknown {
			b = append(b, `,"outcome_unknown":true`...)
		}
		b = append(b, '}')
	}
	return append(b, '}')
}
