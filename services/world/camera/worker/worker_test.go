package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
)

// plain is a snapshot of a flat world that ends so many blocks from 0, 0.
func plain(t *testing.T, chunks int32, around int32) *snapshot.Snapshot {
	t.Helper()
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	w := memory.New(memory.Config{Pack: pack, Exists: func(c host.ChunkPos) bool {
		return c.X >= -chunks && c.X < chunks && c.Z >= -chunks && c.Z < chunks
	}})
	s, err := snapshot.Take(t.Context(), w, geom.Pos{Y: 66}, around)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// camera is a worker that listens, and who asks it.
func camera(t *testing.T) *worker.Client {
	t.Helper()
	s := httptest.NewServer(worker.New("secret", slog.New(slog.DiscardHandler)))
	t.Cleanup(s.Close)
	return &worker.Client{URL: s.URL, Key: func() (string, error) { return "secret", nil }, HTTP: s.Client()}
}

var order = worker.Order{Version: "1.20.2", Pose: render.Pose{Y: 65, Width: 320, Height: 180}}

// TestFrame: a picture comes back with the eye, of the revision that was sent.
//
// clause: W-50, W-51
func TestFrame(t *testing.T) {
	t.Parallel()
	s := plain(t, 12, 165)
	s.Revision = 77
	f, err := camera(t).Frame(t.Context(), s, order)
	if err != nil {
		t.Fatal(err)
	}
	if f.Revision != 77 || f.MediaType != "image/png" || f.Eye != (render.Vector{0, 66.62, 0}) || f.View != worker.View {
		t.Errorf("revision %d, %s, eye %v, view %d", f.Revision, f.MediaType, f.Eye, f.View)
	}
	picture, err := png.Decode(bytes.NewReader(f.Image))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 320 || size.Y != 180 {
		t.Errorf("the picture is %v", size)
	}
}

// TestMissing: what is missing is fog where it is far, and no picture where it is
// near; it is never drawn as air.
//
// clause: W-52
func TestMissing(t *testing.T) {
	t.Parallel()
	c := camera(t)
	f, err := c.Frame(t.Context(), plain(t, 4, 165), order)
	if err != nil || f.View < 60 || f.View > 64 {
		t.Errorf("a world that ends at 64 is seen for %d (%v)", f.View, err)
	}
	if _, err := c.Frame(t.Context(), plain(t, 1, 165), order); fault.CodeOf(err) != worker.NotReady || !strings.Contains(err.Error(), "blocks from the eye") {
		t.Errorf("a world that ends at 16: %v", err)
	}
}

// TestRefusals: each is told apart.
//
// clause: W-51, W-52
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := plain(t, 12, 165)
	good := camera(t)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else nobody notices that the client is gone
		<-r.Context().Done()
	}))
	defer slow.Close()
	answering := func(text string) *worker.Client {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }))
		t.Cleanup(s.Close)
		return &worker.Client{URL: s.URL, Key: good.Key, HTTP: s.Client()}
	}
	stale, _ := json.Marshal(worker.Frame{Revision: s.Revision + 1, MediaType: "image/png", Image: []byte{1}})
	below := order
	below.Pose.Y = 60
	bad := order
	bad.Pose.FOV = 200
	old := order
	old.Version = "1.8"
	for name, c := range map[string]struct {
		client *worker.Client
		order  worker.Order
		code   fault.Code
	}{
		"no worker":     {&worker.Client{URL: "http://127.0.0.1:1", Key: good.Key, HTTP: http.DefaultClient}, order, worker.Unavailable},
		"no key":        {&worker.Client{URL: good.URL, Key: func() (string, error) { return "", fmt.Errorf("no file") }, HTTP: http.DefaultClient}, order, worker.Unavailable},
		"wrong key":     {&worker.Client{URL: good.URL, Key: func() (string, error) { return "other", nil }, HTTP: http.DefaultClient}, order, worker.Unavailable},
		"too slow":      {&worker.Client{URL: slow.URL, Key: good.Key, HTTP: slow.Client()}, order, worker.NotReady},
		"stale":         {answering(string(stale)), order, worker.NotReady},
		"no picture":    {answering("{}"), order, worker.Unavailable},
		"no JSON":       {answering("<html>"), order, worker.Unavailable},
		"bad pose":      {good, bad, fault.Invalid},
		"in the ground": {good, below, fault.Invalid},
		"other version": {good, old, fault.Invalid},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		if name != "too slow" {
			cancel()
			ctx, cancel = context.WithCancel(t.Context())
		}
		if _, err := c.client.Frame(ctx, s, c.order); fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// TestDoor: the worker lets nobody in without its key, and nothing it cannot read.
func TestDoor(t *testing.T) {
	t.Parallel()
	c := camera(t)
	for name, r := range map[string]struct {
		key, contentType, body string
		status                 int
	}{
		"no key":      {"", "text/plain", "", 401},
		"bare key":    {"secret", "text/plain", "", 401},
		"another key": {"Bearer secret2", "text/plain", "", 401},
		"no parts":    {"Bearer secret", "text/plain", "hello", 400},
		"wrong part":  {"Bearer secret", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n", 400},
		"no JSON":     {"Bearer secret", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"order\"\r\n\r\nb\r\n--x--\r\n", 400},
		"large order": {"Bearer secret", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"order\"\r\n\r\n" + strings.Repeat(" ", 5000) + "\r\n--x--\r\n", 400},
	} {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL+worker.Path, strings.NewReader(r.body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", r.contentType)
		if r.key != "" {
			q.Header.Set("Authorization", r.key)
		}
		reply, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		if reply.StatusCode != r.status {
			t.Errorf("%s: status %d, want %d", name, reply.StatusCode, r.status)
		}
	}
}

// TestBusy: of many who ask at once, each gets a picture or is told to come back.
func TestBusy(t *testing.T) {
	t.Parallel()
	c, s := camera(t), plain(t, 12, 165)
	var all sync.WaitGroup
	var mu sync.Mutex
	drawn, told := 0, 0
	for range 6 {
		all.Go(func() {
			_, err := c.Frame(t.Context(), s, order)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				drawn++
			case fault.CodeOf(err) == worker.NotReady && strings.Contains(err.Error(), "busy"):
				told++
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if drawn == 0 || drawn+told != 6 {
		t.Errorf("%d drawn, %d told to come back", drawn, told)
	}
}
