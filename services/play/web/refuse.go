package web

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/failure"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// messageView is a page that says what went wrong. Repeat holds a form to be
// sent again as it was.
type messageView struct {
	Text, Detail string
	Login        bool
	Action       string
	Repeat       []repeated
}

type repeated struct{ Name, Value string }

// fail answers with the page for an error. What the reader is not told goes to
// the log.
func (v *visit) fail(err error) {
	if refused, ok := errors.AsType[formError](err); ok {
		v.message(refused.status, statusMessage(&v.words.Errors, refused.status), "")
		return
	}
	f := fault.From(failure.Shown(err))
	if f.Code == fault.Internal || f.Code == fault.Unavailable || f.Code == fault.Timeout {
		v.config.Log.ErrorContext(v.r.Context(), "page", "route", v.route.Pattern, "error", err)
	}
	status := f.Code.Status()
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		v.w.Header().Set("Retry-After", strconv.Itoa(f.Seconds()))
	}
	detail := ""
	switch f.Code {
	case fault.NotFound, fault.Internal, fault.Unauthenticated:
	default:
		detail = f.Message
	}
	v.message(status, statusMessage(&v.words.Errors, status), detail)
}

// message answers with a page that says what went wrong, what to do, and, where
// that is safe, offers the same form again.
func (v *visit) message(status int, m words.Message, detail string) {
	view := messageView{Text: m.Text, Detail: detail, Login: status == http.StatusUnauthorized}
	if v.repeats(status) {
		view.Action = v.r.URL.RequestURI()
		for _, name := range slices.Sorted(maps.Keys(v.form)) {
			for _, value := range v.form[name] {
				view.Repeat = append(view.Repeat, repeated{name, value})
			}
		}
	}
	v.render(status, "message", m.Title, view)
}

// repeats reports whether the form that met a status may be sent again as it
// was: it was not to be had at the moment, or nobody was logged in.
func (v *visit) repeats(status int) bool {
	if v.form == nil || v.route.final {
		return false
	}
	switch status {
	case http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// statusMessage is what is said about a status.
func statusMessage(e *words.Errors, status int) words.Message {
	switch status {
	case http.StatusBadRequest:
		return e.BadRequest
	case http.StatusUnauthorized:
		return e.LoggedOut
	case http.StatusForbidden:
		return e.Forbidden
	case http.StatusNotFound:
		return e.NotFound
	case http.StatusMethodNotAllowed:
		return e.Method
	case http.StatusRequestTimeout:
		return e.Timeout
	case http.StatusConflict:
		return e.Conflict
	case http.StatusRequestEntityTooLarge:
		return e.TooLarge
	case http.StatusUnsupportedMediaType:
		return e.Media
	case http.StatusUnprocessableEntity:
		return e.Unprocessable
	case http.StatusTooManyRequests:
		return e.TooMany
	case http.StatusServiceUnavailable:
		return e.Unavailable
	case http.StatusGatewayTimeout:
		return e.GatewayTimeout
	}
	return e.Internal
}
