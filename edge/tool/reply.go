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
	if response.ContentLength > int64(bound) {
		return nil, ErrTooLarge
	}
	switch coding := strings.ToLower(response.Header.Get("Content-Encoding")); coding {
	case "", "identity":
		return readBounded(response.Body, int(response.ContentLength), bound)
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(response.Body)
		if err == io.EOF {
			return nil, nil // nothing was compressed
		}
		if err != nil {
			return nil, fmt.Errorf("gzip reply: %w", err)
		}
		return readBounded(z, -1, bound)
	default:
		return nil, fmt.Errorf("reply has the content coding %.40q", coding)
	}
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
