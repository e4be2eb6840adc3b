package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/pharos-mcp/pharos/services/world/host"
)

// Times of a stream: how long news are gathered before they are sent, how long a
// viewer may take to receive them, and how often a quiet stream shows that it is
// there.
const (
	gather  = 100 * time.Millisecond
	receive = 10 * time.Second
	quiet   = 15 * time.Second
)

// hello is the first event of a stream.
type hello struct {
	World   string   `json:"world"`
	Version string   `json:"version"`
	View    int      `json:"view"`
	Home    [3]int32 `json:"home"`
}

// stream is the answer to a viewer.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// events tells a viewer what changes for as long as it stays.
func (p *Page) events(w http.ResponseWriter, r *http.Request) {
	v := p.viewers.add()
	if v == nil {
		busy(w, "too many pages are open")
		return
	}
	defer p.viewers.remove(v)
	w.Header().Set("Content-Type", "text/event-stream")
	s := stream{w, http.NewResponseController(w)}
	if s.send("hello", p.hello(r.Context())) != nil {
		return
	}
	heart := time.NewTicker(quiet)
	defer heart.Stop()
	for {
		var err error
		select {
		case <-v.wake:
			if !pause(r.Context(), p.ended, gather) {
				return
			}
			err = s.tell(v.take())
		case <-heart.C:
			err = s.write(": still here\n\n")
		case <-r.Context().Done():
			return
		case <-p.ended:
			return
		}
		if err != nil {
			return
		}
	}
}

// pause waits, unless the viewer or the page goes.
func pause(ctx context.Context, ended <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	case <-ended:
		return false
	}
}

// hello looks for the ground at home; where there is none, home is as it was given.
func (p *Page) hello(ctx context.Context) hello {
	info := p.config.World.Info()
	home := p.config.Home
	if c, err := p.columns.get(ctx, host.ChunkPos{X: home.X >> 4, Z: home.Z >> 4}); err == nil {
		if y := c.Heights()[home.Z&15<<4|home.X&15]; y >= info.MinY {
			home.Y = y + 1
		}
	}
	return hello{World: info.World.String(), Version: info.Version, View: p.config.View, Home: triple(home)}
}

// tell sends what is new.
func (s *stream) tell(n news) error {
	if n.resync {
		if err := s.send("resync", struct{}{}); err != nil {
			return err
		}
	}
	if len(n.dirty) > 0 {
		chunks := make([][2]int32, len(n.dirty))
		for i, at := range n.dirty {
			chunks[i] = [2]int32{at.X, at.Z}
		}
		if err := s.send("columns", chunks); err != nil {
			return err
		}
	}
	if n.status != nil {
		return s.send("status", json.RawMessage(n.status))
	}
	return nil
}

func (s *stream) send(event string, data any) error {
	encoded, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return s.write(fmt.Sprintf("event: %s\ndata: %s\n\n", event, encoded))
}

// write fails for a viewer that does not receive.
func (s *stream) write(data string) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(receive)) // a recorder in a test has none
	if _, err := s.w.Write([]byte(data)); err != nil {
		return err
	}
	return s.control.Flush()
}
