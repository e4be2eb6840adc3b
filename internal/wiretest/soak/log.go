package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
)

// logReader reads a log: it counts what must not be in it, and why answers of
// the API were lost, by what the edge says of each.
type logReader struct {
	panics atomic.Int64

	mu   sync.Mutex
	rest []byte // a line that has not ended
	lost map[string]int
}

var (
	lostCall = []byte(`"code":"upstream_lost"`)
	lostWhy  = regexp.MustCompile(`"error":"((?:[^"\\]|\\.)*)"`)
	digits   = regexp.MustCompile(`[0-9]+`)
)

// Write implements io.Writer.
func (l *logReader) Write(p []byte) (int, error) {
	l.panics.Add(int64(bytes.Count(p, []byte("panic"))))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, ended := bytes.Cut(l.rest, []byte("\n"))
		if !ended {
			return len(p), nil
		}
		if bytes.Contains(line, lostCall) {
			why := "no reason"
			if m := lostWhy.FindSubmatch(line); m != nil {
				why = digits.ReplaceAllString(string(m[1]), "#")
			}
			l.lost[why]++
		}
		l.rest = append(l.rest[:0], rest...)
	}
}

// reasons are why answers were lost, the rarest first.
func (l *logReader) reasons() (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	whys := slices.SortedFunc(maps.Keys(l.lost), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.lost[a], l.lost[b]), cmp.Compare(a, b))
	})
	for _, why := range whys {
		lines = append(lines, fmt.Sprintf("%d times lost: %s", l.lost[why], why))
	}
	return lines
}
