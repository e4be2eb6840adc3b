package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/internal/strictjson"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// scriptLine is one command of a script.
type scriptLine struct {
	Tick        *int64       `json:"tick"`
	VehicleID   string       `json:"vehicle_id"`
	IncidentID  string       `json:"incident_id"`
	Destination *scriptPoint `json:"destination"`
	Rationale   string       `json:"rationale"`

	line int
	to   geo.Point
}

type scriptPoint struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
}

// script are the commands of an episode, in their order.
type script struct {
	name  string
	lines []scriptLine
}

// The bounds of a script.
const (
	mostScriptLines = 100_000
	longestLine     = 64 << 10
	longestText     = 1000 // characters of a rationale
)

// The form of identifiers and rationales, as in the API.
var (
	identifierForm = regexp.MustCompile(`^[!-~]{1,64}$`)
	rationaleForm  = regexp.MustCompile(`^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$`)
)

// readScript reads commands, one JSON object a line. Empty lines are passed
// over; ticks do not fall.
func readScript(name string) (*script, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s := &script{name: name}
	if err := s.read(file); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *script) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), longestLine)
	var last int64
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		c := scriptLine{line: n}
		err := strictjson.Exact([]byte(text), &c)
		if err == nil {
			err = c.check(last)
		}
		if err == nil && len(s.lines) == mostScriptLines {
			err = fmt.Errorf("more than %d commands", mostScriptLines)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", s.name, n, err)
		}
		last = *c.Tick
		s.lines = append(s.lines, c)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// check reports what is wrong with a command behind one of a tick.
func (c *scriptLine) check(last int64) error {
	switch {
	case c.Tick == nil || *c.Tick < 0:
		return errors.New("tick is not there, or below 0")
	case *c.Tick < last:
		return fmt.Errorf("tick %d stands behind tick %d", *c.Tick, last)
	case !identifierForm.MatchString(c.VehicleID):
		return errors.New("vehicle_id is not 1 to 64 printable characters of ASCII")
	case !identifierForm.MatchString(c.IncidentID):
		return errors.New("incident_id is not 1 to 64 printable characters of ASCII")
	case !rationaleForm.MatchString(c.Rationale) || utf8.RuneCountInString(c.Rationale) > longestText:
		return fmt.Errorf("rationale is not 1 to %d characters of text", longestText)
	case c.Destination == nil || c.Destination.X == nil || c.Destination.Y == nil:
		return errors.New("destination is not {\"x\": …, \"y\": …}")
	}
	x, badX := geo.ParseTenths(strconv.FormatFloat(*c.Destination.X, 'f', -1, 64))
	y, badY := geo.ParseTenths(strconv.FormatFloat(*c.Destination.Y, 'f', -1, 64))
	c.to = geo.Point{X: x, Y: y}
	return errors.Join(badX, badY)
}

// give gives the commands of the present tick and takes them off the script.
func (s *script) give(e *engine.Episode) error {
	for len(s.lines) > 0 && *s.lines[0].Tick == e.Tick() {
		c := s.lines[0]
		s.lines = s.lines[1:]
		if _, _, err := e.Dispatch(c.VehicleID, c.IncidentID, c.Rationale, c.to); err != nil {
			if known, ok := errors.AsType[*engine.Error](err); ok {
				err = fmt.Errorf("%s: %w", known.Code, known)
			}
			return fmt.Errorf("%s, line %d: %w", s.name, c.line, err)
		}
	}
	return nil
}
