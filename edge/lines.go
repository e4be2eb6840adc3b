package edge

import (
	"bufio"
	"bytes"
	"io"
)

// line is one line of a client's over stdio, without its end.
type line struct {
	text []byte
	cut  bool // it was longer than a request's body may be, and this is its beginning
}

// scan reads lines until the input ends.
func (p *pipe) scan(in io.Reader) {
	defer close(p.lines)
	reader := bufio.NewReader(in)
	for {
		l, err := readLine(reader, int(p.server.bodyLimit()))
		if len(l.text) > 0 || l.cut {
			select {
			case p.lines <- l:
			case <-p.closed:
				return
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.failed = err
			return
		}
	}
}

// readLine reads a line of at most limit bytes, without the white space around
// it, or the beginning of a longer one, of which the rest is skipped. The last
// line may have no end.
func readLine(r *bufio.Reader, limit int) (l line, err error) {
	for {
		part, err := r.ReadSlice('\n')
		room := limit + len("\r\n") - len(l.text)
		l.cut = l.cut || len(part) > room
		l.text = append(l.text, part[:min(len(part), room)]...)
		if err == bufio.ErrBufferFull {
			continue
		}
		l.text = bytes.Trim(l.text, " \t\r\n")
		l.cut = l.cut || len(l.text) > limit
		return l, err
	}
}
