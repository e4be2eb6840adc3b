package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxQuoted bounds each text of a caller's that an error's data repeats.
const maxQuoted = 256

// inOurWords takes out of a message of the SDK's, if it is an error, what it
// quotes of the request: parameters may be long, and hold secrets that end up in
// a client's log. Any other message is returned as it is.
func inOurWords(message []byte) []byte {
	start := bytes.Index(message, []byte(`"error":{"code":`))
	if start < 0 || bytes.Contains(message[:start], []byte(`"result":`)) {
		return message
	}
	if at := bytes.Index(message, []byte("data: {")); at >= 0 && message[0] != '{' { // an event of a stream
		head, data := message[:at+len("data: ")], message[at+len("data: "):]
		return append(append(bytes.Clone(head), inOurWords(bytes.TrimRight(data, "\n"))...), "\n\n"...)
	}
	decoded, err := sdkrpc.DecodeMessage(message)
	if err != nil {
		return message
	}
	response, ok := decoded.(*sdkrpc.Response)
	if !ok || response.Error == nil {
		return message
	}
	wire, ok := errors.AsType[*sdkrpc.Error](response.Error)
	if !ok {
		return message
	}
	reworded := *wire
	reworded.Message = withoutQuotes(wire.Message)
	if strings.Contains(wire.Message, "unmarshaling ") { // with Go's words for types, or with no code
		reworded.Code, reworded.Message = sdkrpc.CodeInvalidParams, "the params are not of the form that the method has"
	}
	if reworded.Code == 0 { // what the SDK has no code for, such as a call before the handshake
		reworded.Code = sdkrpc.CodeInvalidRequest
	}
	if wire.Message == context.Canceled.Error() {
		reworded.Message = "the request was cancelled"
	}
	reworded.Data = boundedData(wire.Data)
	response.Error = &reworded
	encoded, err := sdkrpc.EncodeMessage(response)
	if err != nil {
		return message
	}
	return encoded
}

// quotedText is a text in quotes, as the SDK's errors have them.
var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'`)

// protocolNames are the fixed words that the SDK's errors quote to say what is
// needed: without them a message would not help.
var protocolNames = []string{
	"application/json", "text/event-stream", "params", "notifications", "ref", "argument.name",
}

// ofProtocol reports whether a text in quotes is a name of the protocol's.
func ofProtocol(quoted string) bool {
	name := quoted[1 : len(quoted)-1]
	return slices.Contains(protocolNames, name) || strings.HasPrefix(name, "io.modelcontextprotocol/") && len(name) < 62
}

// withoutQuotes leaves out of a message what it quotes, but for names of the
// protocol's and the name in our own message about a tool that is not there,
// and bounds it.
func withoutQuotes(message string) string {
	if !strings.HasPrefix(message, unknownTool) {
		message = quotedText.ReplaceAllStringFunc(message, func(quoted string) string {
			if ofProtocol(quoted) {
				return quoted
			}
			return quoted[:1] + "…" + quoted[len(quoted)-1:]
		})
	}
	return bounded(message, maxMessage)
}

// boundedData bounds the texts in an error's data, such as the version that was
// asked for. Data of another form is kept if it is short.
func boundedData(data json.RawMessage) json.RawMessage {
	if len(data) <= maxQuoted {
		return data
	}
	var members map[string]any
	if json.Unmarshal(data, &members) != nil {
		return nil
	}
	for name, value := range members {
		if text, ok := value.(string); ok {
			members[name] = bounded(text, maxQuoted)
		}
	}
	short, err := json.Marshal(members)
	if err != nil || len(short) > 4*maxQuoted {
		return nil
	}
	return short
}
