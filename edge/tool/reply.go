package tool

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

var errSwitch = errors.New("upstream switched protocols")

// readReply reads a reply of at most bound bytes.
func readReply(method string, response *http.Response, bound int) (Result, error) {
	result := Result{
		Status:     response.StatusCode,
		MediaType:  response.Header.Get("Content-Type"),
		RetryAfter: response.Header.Get("Retry-After"),
	}
	switch {
	case response.StatusCode < 200:
		return result, &SendError{Sent: true, Err: errSwitch}
	case method == http.MethodHead, response.StatusCode == http.StatusNoContent,
		response.StatusCode == http.StatusNotModified:
		return result, nil
	}
	body, err := readBody(response, bound)
	if err != nil {
		return result, &SendError{Sent: true, Err: err}
	}
	result.Body = body
	return result, nil
}

// readBody reads the body, which gzip may compress although nobody asked.
func readBody(response *http.Response, bound int) ([]byte, error) {
	codings := codings(response.Header)
	announced := bound
	if len(codings) > 0 {
		announced = maxCoded(bound)
	}
	if response.ContentLength > int64(announced) {
		return nil, ErrTooLarge
	}
	switch {
	case len(codings) == 0:
		return readBounded(response.Body, int(response.ContentLength), bound)
	case len(codings) == 1 && (codings[0] == "gzip" || codings[0] == "x-gzip"):
		return unzip(response.Body, bound)
	default:
		var first [1]byte
		if _, err := io.ReadFull(response.Body, first[:]); err != nil {
			return nil, unlessEOF(err) // nothing was coded
		}
		return nil, fmt.Errorf("%w: it is %.40q", ErrCoding, strings.Join(codings, ", "))
	}
}

// codings are those of a reply, in lower case and the order in which they were
// applied. A header may stand more than once, and identity is none.
func codings(h http.Header) (names []string) {
	for _, line := range h["Content-Encoding"] {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.ToLower(strings.Trim(name, " \t")); name != "" && name != "identity" {
				names = append(names, name)
			}
		}
	}
	return names
}

// unzip reads a body that gzip has compressed. Only what the body itself says
// of its end is about the connection; all else is about its bytes.
func unzip(body io.Reader, bound int) ([]byte, error) {
	wire := &wire{Reader: body, left: maxCoded(bound)}
	z, err := gzip.NewReader(wire)
	if err == nil {
		var data []byte
		if data, err = readBounded(z, -1, bound); err == nil || errors.Is(err, ErrTooLarge) {
			return data, err
		}
	} else if err == io.EOF {
		return nil, nil // nothing was compressed
	}
	if wire.err != nil {
		return nil, wire.err // ErrTooLarge among them
	}
	return nil, fmt.Errorf("%w: gzip: %w", ErrCoding, err)
}

// maxCoded bounds what a body may take on the wire. One that is within its bound
// takes little more than that, even where each few bytes of it were flushed; a
// body of nothing, compressed again and again, would never reach that bound.
func maxCoded(bound int) int { return 2*bound + 64<<10 }

// wire bounds a body and keeps how the reading of it failed.
type wire struct {
	io.Reader
	left int
	err  error
}

// Read implements io.Reader.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if w.left -= n; w.left < 0 {
		n, err = 0, ErrTooLarge
	}
	w.err = unlessEOF(err)
	return n, err
}

func unlessEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// readBounded reads to the end. The size is what the reply announced, or -1.
func readBounded(r io.Reader, size, bound int) ([]byte, error) {
	if size < 0 {
		size = min(bound, 4<<10)
	}
	body := make([]byte, 0, size+1)
	for {
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > bound:
			return nil, ErrTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, err
		case len(body) == cap(body):
			larger := make([]byte, len(body), min(2*cap(body), bound+1))
			copy(larger, body)
			body = larger
		}
	}
}
