package play

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// refused answers a request that is refused with a status before its content is
// looked at: a program by a problem document, a browser by a page.
func (s *Service) refused(w http.ResponseWriter, r *http.Request, status int, message string) {
	if !isProgram(r) {
		s.pages.Refuse(w, r, status)
		return
	}
	code := fault.Invalid
	switch status {
	case http.StatusForbidden:
		code = fault.Forbidden
	case http.StatusNotFound:
		code = fault.NotFound
	case http.StatusTooManyRequests:
		code = fault.TooMany
	}
	turnDown(w, r, status, fault.New(code, message))
}

// isProgram reports whether a request is for the REST interface.
func isProgram(r *http.Request) bool { return strings.HasPrefix(r.URL.Path+"/", "/api/") }

// turnDown writes a refusal: a problem document for programs, and a line of text
// for others.
func turnDown(w http.ResponseWriter, r *http.Request, status int, f *fault.Fault) {
	eventOf(r.Context()).code = f.Code
	h := w.Header()
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		h.Set("Retry-After", strconv.Itoa(f.Seconds()))
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if !isProgram(r) {
		http.Error(w, f.Message, status)
		return
	}
	h.Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem{f.Code, f.Message, status})
}

// problem is a problem document.
type problem struct {
	Code   fault.Code `json:"code"`
	Title  string     `json:"title"`
	Status int        `json:"status"`
}
