package broker

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// The bounds of a request's body.
const (
	maxBody     = 64 << 10 // bytes
	arrivalTime = 10 * time.Second
)

// arrive reads a body whole before anything is done for its request, so that a
// slow sender holds nothing but a connection, and that not for long.
func arrive(within time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		deadline := http.NewResponseController(w)
		_ = deadline.SetReadDeadline(time.Now().Add(within)) // a recorder in a test has none
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			w.Header().Set("Connection", "close")
			status, description := arrivalError(err)
			refuse(w, status, "invalid_request", description)
			return
		}
		_ = deadline.SetReadDeadline(time.Time{}) // one left standing would end a slow handler
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

func arrivalError(err error) (status int, description string) {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return http.StatusRequestEntityTooLarge, "the body is too large"
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout, "the body did not arrive in time"
	}
	return http.StatusBadRequest, "the body did not arrive"
}
