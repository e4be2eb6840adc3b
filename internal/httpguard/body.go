package httpguard

import (
	"bytes"
	"io"
	"net/http"
)

// body is a request body in memory.
type body struct {
	bytes.Reader
	data []byte
}

func newBody(data []byte) *body {
	b := &body{data: data}
	b.Reset(data)
	return b
}

// Close implements io.ReadCloser.
func (b *body) Close() error { return nil }

func (b *body) again() (io.ReadCloser, error) { return newBody(b.data), nil }

// Body returns the bytes of a request that came through a door: the whole body,
// or for a refusal what had arrived of it. It is nil for any other request. The
// bytes must not be changed.
func Body(r *http.Request) []byte {
	if b, ok := r.Body.(*body); ok {
		return b.data
	}
	return nil
}

// headSize is how much is looked at of a body that announces that it is too
// large: enough for the id of most messages.
const headSize = 1 << 10

// head reads the beginning of a body that is not read, unless its sender waits
// to be told whether it should send it.
func (g *guard) head(r *http.Request) []byte {
	if r.Header.Get("Expect") != "" {
		return nil
	}
	head := make([]byte, min(headSize, g.Body))
	n, _ := io.ReadFull(r.Body, head)
	return head[:n]
}

// ahead is how much room an announcement alone is worth.
const ahead = 32 << 10

// readAll reads to the end. The size is what was announced, or -1.
func readAll(r io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		size = 512
	}
	data := make([]byte, 0, min(size, ahead)+1)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return data, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
