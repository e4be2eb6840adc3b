package run

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/platform/access"
)

const (
	// heartbeat is how often a stream says that it is there, and looks by itself
	// for what it was not woken for.
	heartbeat = 15 * time.Second
	// streamTime ends a stream, whose client then comes again.
	streamTime = 10 * time.Minute
	// writeTime bounds how long a client may take to read what it is sent.
	writeTime = 10 * time.Second
	// streamPage is how many events are read at a time.
	streamPage = 100
)

// Stream is a subscription to the feed of a party.
type Stream struct {
	runs  *Runs
	party uuid.UUID
	place *subscription
	after int64
}

// Follow subscribes to the feed of the caller, from after a number on, or from
// now on. Whoever gets a stream calls Serve.
func (s *Runs) Follow(ctx context.Context, after *int64) (*Stream, error) {
	party := access.From(ctx).Party
	place, err := s.hub.subscribe(party)
	if err != nil {
		return nil, err
	}
	end, err := feedEnd(ctx, s.pool, party)
	if err != nil {
		s.hub.leave(place)
		return nil, err
	}
	if after != nil {
		end = min(end, *after)
	}
	return &Stream{s, party, place, end}, nil
}

// Serve writes server-sent events until the client goes or may not follow any
// more, the service stops, or it is time to come again. The door's deadlines do not cut it: it sets one for
// each write.
func (f *Stream) Serve(ctx context.Context, w http.ResponseWriter) error {
	defer f.runs.hub.leave(f.place)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	out := sender{w, http.NewResponseController(w)}
	if err := out.send("retry: 2000\n\n"); err != nil {
		return err
	}
	defer out.control.SetWriteDeadline(time.Time{}) // for the next request on the connection
	over := f.runs.clock.after(streamTime)
	for {
		if err := f.catchUp(ctx, out); err != nil {
			return err
		}
		select {
		case <-f.place.woken:
		case <-f.runs.clock.after(heartbeat):
			if err := out.send(":\n\n"); err != nil {
				return err
			}
		case <-f.runs.hub.over:
			return nil
		case <-over:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// catchUp sends what happened since, page by page, each to who may still see it.
func (f *Stream) catchUp(ctx context.Context, out sender) error {
	for {
		if err := access.Again(ctx); err != nil {
			return err
		}
		events, err := feedOf(ctx, f.runs.pool, f.party, f.after, streamPage)
		if err != nil {
			return err
		}
		var text strings.Builder
		for _, e := range events {
			data, err := json.Marshal(streamedTo(e))
			if err != nil {
				return err
			}
			fmt.Fprintf(&text, "id: %d\nevent: run\ndata: %s\n\n", e.Sequence, data)
			f.after = e.Sequence
		}
		if err := out.send(text.String()); err != nil {
			return err
		}
		if len(events) < streamPage {
			return nil
		}
	}
}

// sender writes to a client that may be slow.
type sender struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (s sender) send(text string) error {
	if text == "" {
		return nil
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime)) // a recorder in a test has none
	if _, err := s.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}
