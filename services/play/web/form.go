package web

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The bounds of a form. The largest that the pages have is of six texts of
// 8,000 characters, each of up to twelve bytes as forms are encoded.
const (
	maxForm    = 1 << 20
	maxArrival = 10 * time.Second
)

// formError is a form that is refused before it is read.
type formError struct{ status int }

func (e formError) Error() string { return http.StatusText(e.status) }

// readForm reads the form of a request: of one type, bounded in size and time,
// text throughout, and with one value of each name but of those that repeat.
// Browsers end lines with \r\n; the values have \n.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return nil, formError{http.StatusUnsupportedMediaType}
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(maxArrival)) // a recorder has none
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err != nil {
		w.Header().Set("Connection", "close") // what is left of it is not waited for
	} else {
		_ = control.SetReadDeadline(time.Time{})
	}
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return nil, formError{http.StatusRequestEntityTooLarge}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, formError{http.StatusRequestTimeout}
	}
	if err != nil {
		return nil, formError{http.StatusBadRequest}
	}
	form, err := url.ParseQuery(string(data))
	if err != nil || !clean(form) || !single(form) {
		return nil, formError{http.StatusBadRequest}
	}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	for _, values := range form {
		for i := range values {
			values[i] = lines.Replace(values[i])
		}
	}
	return form, nil
}

// clean reports whether all of a form is text.
func clean(form url.Values) bool {
	for name, values := range form {
		for _, value := range values {
			if !plain(value) {
				return false
			}
		}
		if !plain(name) {
			return false
		}
	}
	return true
}

// repeating are the names that a form of a page has more than once.
var repeating = []string{"approve", "consequence", "node"}

// single reports whether a form says one thing only under each other name, so
// that which of two is meant is nobody's guess.
func single(form url.Values) bool {
	for name, values := range form {
		if len(values) > 1 && !slices.Contains(repeating, name) {
			return false
		}
	}
	return true
}

// plain reports whether a text can be stored.
func plain(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// newID is an identifier for an operation that a form will ask for.
func newID() string { return uuid.NewString() }

// id reads an identifier that a page put into its form. A form without one was
// not made by a page.
func (v *visit) id(name string) (uuid.UUID, error) {
	id, err := uuid.Parse(v.form.Get(name))
	if err != nil || id == uuid.Nil {
		return uuid.Nil, formError{http.StatusBadRequest}
	}
	return id, nil
}

// number reads a number that a page put into its form.
func (v *visit) number(name string) (int64, error) {
	n, err := strconv.ParseInt(v.form.Get(name), 10, 64)
	if err != nil || n < 0 {
		return 0, formError{http.StatusBadRequest}
	}
	return n, nil
}

// subject reads the identifier in an address; one that cannot be is of
// something that is not there.
func (v *visit) subject(name string) (uuid.UUID, error) {
	id, err := uuid.Parse(v.r.PathValue(name))
	if err != nil || id.String() != v.r.PathValue(name) {
		return uuid.Nil, fault.New(fault.NotFound, "there is nothing at this path")
	}
	return id, nil
}

// offset reads where a page of a list begins; anything odd is the beginning.
func (v *visit) offset(most int) int {
	n, err := strconv.Atoi(v.query.Get("offset"))
	if err != nil || n < 0 || n > most {
		return 0
	}
	return n
}
