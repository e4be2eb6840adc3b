package apifuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// answer is a reply that was read whole.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   any // of JSON
}

// most bytes of a reply that are read.
const maxReply = 4 << 20

func read(r *http.Response) (*answer, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxReply))
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, err
	}
	a := &answer{status: r.StatusCode, header: r.Header, raw: raw}
	if len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		if d.Decode(&a.body) != nil || d.More() {
			a.body = nil
		}
	}
	return a, nil
}

// wrong tells what a reply breaks: the kind of the failure, which shrinking
// keeps, and its details. A kind of "" is none.
func (f *fuzzer) wrong(r *request, a *answer) (kind, detail string) {
	if a.status >= 500 {
		return fmt.Sprint("status ", a.status), ""
	}
	declared, ok := r.op.replies[strconv.Itoa(a.status)]
	if !ok {
		if declared, ok = r.op.replies["default"]; !ok || a.status < 400 {
			return fmt.Sprintf("status %d is not declared", a.status), ""
		}
	}
	if kind, detail := f.wrongBody(declared, a); kind != "" {
		return kind, detail
	}
	for _, h := range declared.headers {
		value := a.header.Get(h.name)
		if value == "" && !h.required {
			continue
		}
		if err := f.doc.fits(h.schema, value); err != nil {
			return "the header " + h.name + " is not as declared", fmt.Sprintf("%q: %v", value, err)
		}
	}
	isProblem := strings.HasPrefix(a.header.Get("Content-Type"), "application/problem+json")
	switch {
	case isProblem && object(a.body)["status"] != float64(a.status):
		return "the problem has another status", ""
	case a.status == 401 && a.header.Get("WWW-Authenticate") == "":
		return "401 comes without WWW-Authenticate", ""
	case a.status == 429 && a.header.Get("Retry-After") == "":
		return "429 comes without Retry-After", ""
	case r.invalid != "" && !isProblem:
		return fmt.Sprintf("what is not allowed gets status %d and no problem", a.status), r.invalid
	case r.invalid == "" && isProblem && object(a.body)["code"] == "invalid_request" && !f.excused(r, a):
		return "what is allowed is an invalid request", text(object(a.body)["title"])
	}
	return "", ""
}

// excused tells whether a request that the document allows may be refused all
// the same.
func (f *fuzzer) excused(r *request, a *answer) bool {
	_, cursor := r.query["cursor"]
	return cursor || f.config.Excused != nil && f.config.Excused(r.op.ID, text(object(a.body)["title"]))
}

func (f *fuzzer) wrongBody(declared reply, a *answer) (kind, detail string) {
	if len(declared.media) == 0 {
		if len(a.raw) > 0 {
			return "there is a body where none is declared", ""
		}
		return "", ""
	}
	media, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	schema, ok := declared.media[media]
	if !ok {
		return fmt.Sprintf("status %d has the media type %q", a.status, media),
			fmt.Sprint(slices.Sorted(maps.Keys(declared.media)))
	}
	if schema == nil {
		return "", ""
	}
	if a.body == nil {
		return "the body is no JSON", ""
	}
	if err := f.doc.fits(*schema, a.body); err != nil {
		return fmt.Sprintf("the body with status %d is not as declared", a.status), explained(err)
	}
	return "", ""
}

// explained names the innermost places where a body is wrong.
func explained(err error) string {
	v, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err.Error()
	}
	var lines []string
	for _, e := range v.BasicOutput().Errors {
		if e.Error != "" {
			lines = append(lines, e.InstanceLocation+": "+e.Error)
		}
	}
	return strings.Join(lines, "; ")
}
