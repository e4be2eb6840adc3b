package edge

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// The bounds of what a caller gets.
const (
	maxMessage  = 512     // of an error's message, in bytes (E-16)
	maxEnvelope = 4 << 20 // of an envelope, which is sent twice (E-13)
)

// render makes the result of a tool out of an outcome: the envelope of E-14 as
// structured content and, the same bytes, as text.
func (s *Server) render(e *entry, o *outcome) *mcp.CallToolResult {
	if s.catalog.Bare {
		return renderBare(e, o)
	}
	data := envelope(e.operation, *o)
	if len(data) > maxEnvelope {
		large := s.tooLarge(e, maxEnvelope)
		large.status, large.dropped = o.status, o.dropped
		*o = large.unknownIf(e.operation.Effect != tool.Read)
		data = envelope(e.operation, *o)
	}
	o.size = len(data)
	return &mcp.CallToolResult{
		IsError:           o.code != "" || o.status >= 400,
		StructuredContent: json.RawMessage(data),
		Content:           []mcp.Content{&mcp.TextContent{Text: string(data)}},
	}
}

// envelope writes {operation_id, status?, result? | error?}.
func envelope(op *tool.Operation, o outcome) []byte {
	b := appendJSONString([]byte(`{"operation_id":`), op.ID)
	if o.status != 0 {
		b = strconv.AppendInt(append(b, `,"status":`...), int64(o.status), 10)
	}
	if o.code == "" && o.result != nil {
		b = append(b, `,"result":`...)
		b = appendCompact(b, o.result)
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

// appendCompact appends JSON without the space between its tokens and with <,
// > and & escaped, which is what the SDK makes of it: so both copies of an
// envelope are the same bytes.
func appendCompact(b, value []byte) []byte {
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return append(b, "null"...) // never: the value was checked
	}
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, compact.Bytes())
	return append(b, escaped.Bytes()...)
}

func appendJSONString(b []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string always encodes
	return append(b, quoted...)
}

// bounded cuts a text to at most limit bytes, between characters.
func bounded(text string, limit int) string {
	if len(text) <= limit {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	const mark = "…"
	cut := max(limit-len(mark), 0)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.ToValidUTF8(text[:cut], "?") + mark
}
