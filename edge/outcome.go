package edge

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// The codes of errors that the edge finds itself. An API's own answer has the
// code that its document declares, or upstream_<status>.
const (
	codeInvalidArguments  = "invalid_arguments"
	codeArgumentsTooLarge = "arguments_too_large"
	codeTooLarge          = "response_too_large"
	codeInvalidResponse   = "invalid_response"
	codeUnreachable       = "upstream_unreachable"
	codeTimeout           = "upstream_timeout"
	codeLost              = "upstream_lost"
	codeOverloaded        = "overloaded"
)

// outcome is what became of one call.
type outcome struct {
	status  int             // 0 where nothing was received
	result  json.RawMessage // nil without one
	code    string          // not empty: an error
	message string
	unknown bool // a write may or may not have happened (E-19)

	image      *tool.Result // a handler's picture, in place of a result
	retryAfter string       // for the HTTP reply
	dropped    int          // members that the schema does not declare
	size       int          // bytes of the rendered result
	cause      error        // for the log
}

func failf(code, format string, args ...any) outcome {
	return outcome{code: code, message: fmt.Sprintf(format, args...)}
}

// unknownIf adds what E-19 asks for to an error, in the server's words.
func (o outcome) unknownIf(unknown bool, words string) outcome {
	if unknown {
		o.unknown = true
		o.message = bounded(o.message, maxMessage-len(words)) + words
	}
	return o
}

// repeatIt is what a handler catalog says in the place of keepIt: its writes
// have no command identity but in their arguments.
const repeatIt = "; the outcome is unknown: repeat the call with exactly these arguments, identifiers such as operation_id " +
	"included, or read the state first; never make up new identifiers for the same change"

const keepIt = "; the outcome is unknown: keep this exact input and its command identity, " +
	"send it again only if the user authorises it, or query the current state"

// judge makes an outcome of a reply that was received whole.
func (s *Server) judge(e *entry, a *attempt, reply tool.Result) outcome {
	if s.catalog.Bare {
		return s.bare(e, a, reply)
	}
	write := e.operation.Effect != tool.Read
	declared := declaredReply(e.operation.Replies, reply.Status)
	success := reply.Status >= 200 && reply.Status < 300
	switch {
	case success && len(reply.Body) == 0:
		return outcome{status: reply.Status} // E-55
	case success && declared == nil:
		o := outcome{status: reply.Status, code: codeInvalidResponse,
			message: fmt.Sprintf("the API answered status %d with a body that its document does not declare", reply.Status)}
		return o.unknownIf(write, s.ifUnknown())
	case success || declared != nil && declared.Outcome:
		result, dropped, err := s.project(e, declared, reply)
		if err == nil {
			return outcome{status: reply.Status, result: result, dropped: dropped}
		}
		if success {
			o := outcome{status: reply.Status, code: codeInvalidResponse, cause: err,
				message: fmt.Sprintf("the API answered status %d with a body that breaks its own document", reply.Status)}
			return o.unknownIf(write, s.ifUnknown())
		}
	}
	return s.refused(e, declared, reply)
}

// refused makes an error of a reply that is no success and no recorded outcome.
// Nothing of its body is shown but a problem code that the document declares.
func (s *Server) refused(e *entry, declared *tool.Reply, reply tool.Result) outcome {
	o := outcome{status: reply.Status, code: "upstream_" + strconv.Itoa(reply.Status)}
	// By number or range, a document says what an answer of this status looks
	// like; by default it says so only of answers that carry a problem code.
	own := declared != nil && declared.Status != "default" && declared.Schema == ""
	if declared != nil && declared.Schema != "" {
		if body, _, err := s.project(e, declared, reply); err == nil {
			own = declared.Status != "default"
			if code := problemCode(body); code != "" && e.codes()[declared.Schema] {
				o.code, own = code, true
			}
		}
	}
	o.message = "the API answered " + strings.TrimSpace(strconv.Itoa(reply.Status)+" "+http.StatusText(reply.Status))
	if reply.Status < 400 && reply.Status != http.StatusNotModified {
		o.message = fmt.Sprintf("the API answered a redirect (%d), which is not followed", reply.Status)
	}
	if after := retryAfter(reply.RetryAfter); after != "" && reply.Status >= 400 {
		o.retryAfter = after
		o.message += "; it asks to retry after " + after
		if _, err := strconv.Atoi(after); err == nil {
			o.message += " s"
		}
	}
	// A redirect may follow a change that was made, and a server error is no
	// answer unless the document says for that status what it looks like.
	answered := reply.Status >= 400 && (reply.Status < 500 || own)
	return o.unknownIf(!answered && e.operation.Effect != tool.Read, s.ifUnknown())
}

var codePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$`)

// problemCode is the code of a problem document, if it is one.
func problemCode(body []byte) string {
	var problem struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(body, &problem) != nil || !codePattern.MatchString(problem.Code) {
		return ""
	}
	return problem.Code
}

// declaredReply is what the operation declares for a status: by number, by
// range, or by default.
func declaredReply(replies []tool.Reply, status int) *tool.Reply {
	number := strconv.Itoa(status)
	for _, want := range []string{number, number[:1] + "XX", "default"} {
		for i := range replies {
			if strings.EqualFold(replies[i].Status, want) {
				return &replies[i]
			}
		}
	}
	return nil
}

var errMediaType = errors.New("media type is not the declared one")

// project turns a body into the result that its declaration promises (E-15,
// E-16) and counts the members that were left out (E-17).
func (s *Server) project(e *entry, declared *tool.Reply, reply tool.Result) (result []byte, dropped int, err error) {
	got, parameters, _ := mime.ParseMediaType(reply.MediaType)
	declaredType, _, _ := mime.ParseMediaType(declared.MediaType)
	switch {
	case declared.Schema != "":
		if got != "" && !isJSON(got) {
			return nil, 0, errMediaType
		}
		return s.whole(e, reply)
	case declared.MediaType == "":
		return nil, 0, nil // a body nobody declared is dropped whole
	case isJSON(declaredType):
		if !json.Valid(reply.Body) || !utf8.Valid(reply.Body) {
			return nil, 0, errors.New("body is not JSON in UTF-8")
		}
		result, err = wholeText(reply.Body)
		return result, 0, err
	case strings.HasPrefix(declaredType, "text/"):
		if got != "" && !strings.HasPrefix(got, "text/") {
			return nil, 0, errMediaType
		}
		return appendJSONString(nil, decodeText(reply.Body, parameters["charset"])), 0, nil
	default:
		if got == "" {
			got = "application/octet-stream"
		}
		result = appendJSONString([]byte(`{"media_type":`), got)
		result = append(result, `,"base64":"`...)
		result = base64.StdEncoding.AppendEncode(result, reply.Body)
		return append(result, `"}`...), 0, nil
	}
}

// whole checks a reply against its schema and keeps what can be read anywhere.
func (s *Server) whole(e *entry, reply tool.Result) (result []byte, dropped int, err error) {
	if result, dropped, err = s.validator.Reply(e.operation, reply.Status, reply.Body); err == nil {
		result, err = wholeText(result)
	}
	return result, dropped, err
}

func isJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// decodeText reads the two encodings that text still comes in. What is not
// text in either is marked, as browsers do.
func decodeText(body []byte, charset string) string {
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1":
		runes := make([]rune, len(body))
		for i, b := range body {
			runes[i] = rune(b)
		}
		return string(runes)
	default:
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
}

// retryAfter is a Retry-After value if it is one, else "".
func retryAfter(value string) string {
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return strconv.FormatUint(n, 10)
	}
	if at, err := http.ParseTime(value); err == nil {
		return at.UTC().Format(http.TimeFormat)
	}
	return ""
}

// tooLarge says which bound was crossed and what makes a reply smaller.
func (s *Server) tooLarge(e *entry, limit int) outcome {
	advice := "ask for less"
	if names := e.narrowing(); len(names) > 0 {
		advice = "ask for less with " + bounded(strings.Join(names, ", "), 160)
	}
	return failf(codeTooLarge, "the reply is larger than %d bytes; %s", limit, advice)
}

// withoutValues is the text of an error for the log. A URL may hold a secret
// that was put into its query, and a broken reply repeat one.
func withoutValues(err error) string {
	text := err.Error()
	if u, ok := errors.AsType[*url.Error](err); ok {
		text = u.Op + ": " + u.Err.Error()
	}
	if _, ok := errors.AsType[*tool.SendError](err); ok {
		text = observe.WithoutQuoted(text)
	}
	return text
}
