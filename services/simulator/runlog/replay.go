package runlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// MaxLine bounds a line that is read, in bytes.
const MaxLine = 8 << 20

// Difference is the first line of a log that is not what the rules make of the
// lines before it.
type Difference struct {
	Line int    // the first is 1
	Why  string // for people
}

// Error says where and why.
func (d *Difference) Error() string { return fmt.Sprintf("line %d: %s", d.Line, d.Why) }

// Replayed is what a log was found to hold.
type Replayed struct {
	Header  Header
	Episode *engine.Episode // after its last tick
	Reason  string          // why it ended, "" where the end is missing
	Lines   int             // that are right
}

// Replay computes every line of a log again. Its error is a *Difference where
// one is another, and that of the reader where it cannot be read. What was
// found before is given in any case; a torn last line is none.
func Replay(r io.Reader) (Replayed, error) {
	p := replay{lines: bufio.NewReaderSize(r, 64<<10)}
	err := p.run()
	return p.found, err
}

type replay struct {
	lines *bufio.Reader
	found Replayed
}

// next gives the next whole line, without its end, or io.EOF.
func (p *replay) next() ([]byte, error) {
	var line []byte
	for {
		part, err := p.lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case len(line) > MaxLine:
			return nil, p.differs("it is longer than %d bytes", MaxLine)
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err // io.EOF in the middle of a line is its torn end
		}
	}
}

func (p *replay) differs(format string, args ...any) error {
	return &Difference{p.found.Lines + 1, fmt.Sprintf(format, args...)}
}

func (p *replay) run() error {
	line, err := p.next()
	if err != nil {
		return ended(err)
	}
	if err := p.header(line); err != nil {
		return err
	}
	result := p.found.Episode.Last()
	for tick := int64(0); ; tick++ {
		line, err := p.next()
		if err != nil {
			return ended(err)
		}
		if bytes.HasPrefix(line, []byte(endBegins)) {
			return p.end(line)
		}
		if tick > 0 {
			if result, err = p.step(line); err != nil {
				return err
			}
		}
		if want := tickLine(p.found.Header.RunID, p.found.Episode, result); !bytes.Equal(line, want) {
			return p.differs("%s", contrast(line, want))
		}
		p.found.Lines++
	}
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// header begins the episode that the first line names.
func (p *replay) header(line []byte) error {
	h := &p.found.Header
	if err := json.Unmarshal(line, h); err != nil || h.Type != "header" {
		return p.differs("it is no header of a run log")
	}
	if h.Mechanics != engine.Mechanics || h.LogVersion != Version {
		return p.differs("it is of mechanics %d and log version %d; this program has %d and %d",
			h.Mechanics, h.LogVersion, engine.Mechanics, Version)
	}
	s, ok := engine.Find(h.ScenarioID)
	if !ok {
		return p.differs("there is no scenario %q", h.ScenarioID)
	}
	e, err := engine.New(s, h.Seed, h.RunID)
	if err != nil {
		return p.differs("%v", err)
	}
	if want := HeaderOf(h.RunID, e).line(); !bytes.Equal(line, want) {
		return p.differs("%s", contrast(line, want))
	}
	p.found.Episode = e
	p.found.Lines++
	return nil
}

// ordered are the commands of a tick, as far as they decide anything.
type ordered struct {
	Commands []struct {
		VehicleID   string `json:"vehicle_id"`
		IncidentID  string `json:"incident_id"`
		Rationale   string `json:"rationale"`
		Destination struct {
			Requested struct{ X, Y json.Number } `json:"requested"`
		} `json:"destination"`
	} `json:"commands"`
}

// step gives the commands of a line and lives through its tick.
func (p *replay) step(line []byte) (engine.Result, error) {
	e := p.found.Episode
	if e.Lifecycle() != "running" {
		return engine.Result{}, p.differs("the episode is over, and a tick follows")
	}
	var o ordered
	if err := json.Unmarshal(line, &o); err != nil {
		return engine.Result{}, p.differs("it is no line of a run log")
	}
	for _, c := range o.Commands {
		x, badX := geo.ParseTenths(c.Destination.Requested.X.String())
		y, badY := geo.ParseTenths(c.Destination.Requested.Y.String())
		if err := errors.Join(badX, badY); err != nil {
			return engine.Result{}, p.differs("a command leads nowhere: %v", err)
		}
		if _, _, err := e.Dispatch(c.VehicleID, c.IncidentID, c.Rationale, geo.Point{X: x, Y: y}); err != nil {
			return engine.Result{}, p.differs("a command cannot have been accepted: %v", err)
		}
	}
	return e.Step(), nil
}

// end compares the last line.
func (p *replay) end(line []byte) error {
	var e struct {
		Reason string `json:"reason"`
	}
	if err := json.Unmarshal(line, &e); err != nil || e.Reason == "" {
		return p.differs("it is no end of a run log")
	}
	if over := p.found.Episode.TerminalReason(); e.Reason == "resolved" || e.Reason == "tick_limit" || over != "" {
		if e.Reason != over {
			return p.differs("the end is %q, and the episode's is %q", e.Reason, over)
		}
	}
	if want := endLine(p.found.Episode, e.Reason); !bytes.Equal(line, want) {
		return p.differs("%s", contrast(line, want))
	}
	p.found.Lines++
	p.found.Reason = e.Reason
	if _, err := p.next(); !errors.Is(err, io.EOF) {
		return p.differs("something follows the end")
	}
	return nil
}

// contrast shows where two lines begin to differ.
func contrast(got, want []byte) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	const around = 40
	piece := func(line []byte) string {
		line = bytes.TrimSuffix(line, []byte("\n"))
		from := min(max(0, at-around), len(line))
		return string(line[from:min(len(line), at+around)])
	}
	return fmt.Sprintf("at byte %d it has …%s… where the rules give …%s…", at+1, piece(got), piece(want))
}
