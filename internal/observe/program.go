package observe

import (
	"io"
	"log"
	"log/slog"
	"regexp"
	"strings"
)

// ProgramLog makes the log of a whole program, one JSON event a line, and takes
// over the standard logger. Package net/http tells it what it has nobody else
// to tell, such as bytes that an upstream sent after its reply, and quotes them:
// what stands in quotes is left out (E-57). A program calls it once.
func ProgramLog(w io.Writer) *slog.Logger {
	l := slog.New(slog.NewJSONHandler(w, nil))
	log.SetFlags(0)
	log.SetOutput(standard{l})
	return l
}

// standard is where the standard logger writes to.
type standard struct{ log *slog.Logger }

// Write implements io.Writer.
func (s standard) Write(p []byte) (int, error) {
	s.log.Warn("net/http", "text", WithoutQuoted(strings.TrimSpace(string(p))))
	return len(p), nil
}

var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// WithoutQuoted leaves out of a text what stands in quotes, as values do in
// net/http's errors.
func WithoutQuoted(text string) string { return quoted.ReplaceAllString(text, `"…"`) }
