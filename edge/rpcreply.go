package edge

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// render makes the status and the body of what became of a call.
func (m *rpcMount) render(o *outcome) (status int, reply []byte) {
	switch {
	case o.code != "":
		return m.status(o.code), rpcError(m.code(o.code), bounded(o.message, maxMessage))
	case o.image != nil:
		mediaType, _ := json.Marshal(o.image.MediaType) // a string always encodes
		o.result = fmt.Appendf(nil, `{"media_type":%s,"base64":"%s"}`,
			mediaType, base64.StdEncoding.EncodeToString(o.image.Body))
	case o.result == nil:
		o.result = json.RawMessage("null")
	}
	o.size = len(o.result)
	return http.StatusOK, append(append([]byte(`{"ok":true,"result":`), o.result...), '}')
}

// reply writes an error, with the status of its code where the service has one.
func (m *rpcMount) reply(w http.ResponseWriter, status int, code, message string) {
	rpcReply(w, cmp.Or(m.rpc.Statuses[code], status), rpcError(m.code(code), message))
}

// code is what the service calls a code.
func (m *rpcMount) code(code string) string { return cmp.Or(m.server.options.ErrorCodes[code], code) }

// status is the HTTP status of a code: 400 for all that callers can do
// something about, unless HTTP has a word that changes what they do.
func (m *rpcMount) status(code string) int {
	if status, ok := m.rpc.Statuses[code]; ok {
		return status
	}
	if code == codeArgumentsTooLarge {
		return http.StatusRequestEntityTooLarge
	}
	if code == codeOverloaded {
		return http.StatusServiceUnavailable
	}
	if !slices.Contains(fault.Codes(), fault.Code(code)) {
		return http.StatusBadRequest
	}
	switch status := fault.Code(code).Status(); status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge,
		http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusInternalServerError:
		return status
	default:
		return http.StatusBadRequest
	}
}

// refusalCode is the code of a request that is refused with a status before
// its method is looked at.
func refusalCode(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "unauthenticated"
	case http.StatusForbidden:
		return "forbidden"
	case http.StatusRequestEntityTooLarge:
		return "too_large"
	case http.StatusTooManyRequests:
		return "too_many_requests"
	case http.StatusServiceUnavailable:
		return string(fault.Unavailable)
	case http.StatusInternalServerError:
		return string(fault.Internal)
	case http.StatusGatewayTimeout:
		return "timeout"
	default:
		return string(fault.Invalid)
	}
}

func rpcError(code, message string) []byte {
	b := appendJSONString([]byte(`{"ok":false,"error":{"code":`), code)
	b = appendJSONString(append(b, `,"message":`...), message)
	return append(b, "}}"...)
}

func rpcReply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
