package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// duplicates reports members that an object of a JSON file has twice, even
// with the same value: two decisions on one operation are one too many (E-01).
func duplicates(file string, data []byte) spec.Problems {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	s := scanner{file: file, data: data, decoder: d}
	s.value()
	return s.problems
}

// scanner walks the tokens of a file that parses.
type scanner struct {
	file     string
	data     []byte
	decoder  *json.Decoder
	problems spec.Problems
}

// value reads one value and reports whether there was one.
func (s *scanner) value() bool {
	token, err := s.decoder.Token()
	if err != nil {
		return false
	}
	switch token {
	case json.Delim('{'):
		seen := map[string]bool{}
		for s.decoder.More() {
			token, err := s.decoder.Token()
			name, ok := token.(string)
			if err != nil || !ok {
				return false
			}
			if seen[name] {
				s.duplicate(name)
			}
			seen[name] = true
			if !s.value() {
				return false
			}
		}
	case json.Delim('['):
		for s.decoder.More() {
			if !s.value() {
				return false
			}
		}
	default:
		return true
	}
	_, err = s.decoder.Token() // the closing bracket
	return err == nil
}

// duplicate reports the name that was just read.
func (s *scanner) duplicate(name string) {
	end := int(s.decoder.InputOffset())
	line := 1 + bytes.Count(s.data[:end], []byte("\n"))
	start := end - len(quote(name))
	s.problems = append(s.problems, spec.Problem{
		Pos:  spec.Pos{File: s.file, Line: line, Col: max(start-bytes.LastIndexByte(s.data[:end], '\n'), 1)},
		Rule: "E-01", Message: fmt.Sprintf("%q stands here a second time", name), Hint: "keep one of them",
	})
}
