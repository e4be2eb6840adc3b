package world_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/camera/desk"
	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	"github.com/pharos-mcp/pharos/services/world/project"
)

const key = "the camera's own"

// watched is a site with a camera, or with the worker that is given.
func watched(t *testing.T, drawing http.Handler) *site {
	t.Helper()
	if drawing == nil {
		drawing = worker.New(key, slog.New(slog.DiscardHandler))
	}
	server := httptest.NewServer(drawing)
	t.Cleanup(server.Close)
	s := open(t)
	s.Camera = &worker.Client{URL: server.URL, HTTP: server.Client(), Key: func() (string, error) { return key, nil }}
	s.Cameras = map[string]render.Pose{"gate": {X: 0.5, Y: 65, Z: -8.5, Width: 320, Height: 180}}
	s.Desk = desk.New()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Desk.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return s
}

// small is a pose that looks south over the middle of the site.
const small = `{"x":0.5,"y":65,"z":-8.5,"yaw":0,"pitch":0,"width":320,"height":180}`

// fetch asks for a picture and comes back until there is an answer.
func (s *site) fetch(t *testing.T, arguments string) (map[string]any, *fault.Fault) {
	t.Helper()
	ordered := s.call(t, "camera_capture", arguments)
	if ordered["status"] != "pending" || ordered["imageBase64"] != nil {
		t.Fatalf("at first: %v", ordered)
	}
	again := `{"capture_id":"` + text(ordered["captureId"]) + `"}`
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		c, refused := s.as(t, owner.String(), "default", "camera_capture", again)
		if refused != nil || c["status"] == "done" {
			return c, refused
		}
	}
	t.Fatal("the picture was never done")
	return nil, nil
}

// picture decodes what a capture shows.
func picture(t *testing.T, capture map[string]any) image.Image {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text(capture["imageBase64"]))
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// gold reports whether the middle of a picture is.
func gold(p image.Image) bool {
	b := p.Bounds()
	red, _, blue, _ := p.At(b.Dx()/2, b.Dy()/2).RGBA()
	return red > 2*blue
}

// wall is what stands before small's eye.
const wall = `{"type":"box","min":{"x":-3,"y":65,"z":0},"max":{"x":3,"y":69,"z":0},"block":"minecraft:gold_block"}`

// TestCapture: a picture is ordered and fetched, from one's own pose or a camera
// of the configuration; it shows the operation that it comes after, and its eye
// is above the feet.
//
// clause: W-50, W-51
func TestCapture(t *testing.T) {
	t.Parallel()
	s := watched(t, nil)
	c, refused := s.fetch(t, `{"pose":`+small+`}`)
	if refused != nil {
		t.Fatal(refused)
	}
	if gold(picture(t, c)) {
		t.Error("gold is seen before it is there")
	}
	o := s.build(t, "wall", wall)
	c, refused = s.fetch(t, `{"camera_id":"gate","after_operation_id":"`+text(o["operation_id"])+`"}`)
	if refused != nil {
		t.Fatal(refused)
	}
	if eye, _ := c["eye"].(map[string]any); eye["x"] != 0.5 || eye["y"] != 65+render.Eye || eye["z"] != -8.5 {
		t.Errorf("the eye is at %v", eye)
	}
	for name, want := range map[string]any{
		"serverRevisionVerified": true, "chunksReady": true, "frameReady": true, "preview": false,
		"mimeType": "image/png", "view_blocks": 160.0, "revision": 1.0,
	} {
		if c[name] != want {
			t.Errorf("%s is %v, want %v", name, c[name], want)
		}
	}
	p := picture(t, c)
	if size := p.Bounds().Size(); size != (image.Point{X: 320, Y: 180}) || !gold(p) {
		t.Errorf("a picture of %v, gold %t", size, gold(p))
	}
	if again := s.call(t, "camera_capture", `{"capture_id":"`+text(c["captureId"])+`"}`); again["imageBase64"] != c["imageBase64"] {
		t.Error("it is another the second time")
	}
}

// TestCaptureRefused: what cannot be asked for is told apart.
//
// clause: W-50
func TestCaptureRefused(t *testing.T) {
	t.Parallel()
	s := watched(t, nil)
	none := uuid.NewString()
	for _, c := range []struct {
		arguments string
		code      fault.Code
		words     string
	}{
		{`{}`, fault.Invalid, "a pose or a camera_id"},
		{`{"pose":` + small + `,"camera_id":"gate"}`, fault.Invalid, "not both"},
		{`{"camera_id":"tower"}`, fault.NotFound, "one of gate"},
		{`{"capture_id":"` + none + `","camera_id":"gate"}`, fault.Invalid, "nothing else"},
		{`{"capture_id":"` + none + `","pose":` + small + `}`, fault.Invalid, "nothing else"},
		{`{"capture_id":"` + none + `","plan_id":"` + none + `"}`, fault.Invalid, "nothing else"},
		{`{"capture_id":"` + none + `","after_operation_id":"` + none + `"}`, fault.Invalid, "nothing else"},
		{`{"capture_id":"` + none + `"}`, fault.NotFound, "no such capture"},
		{`{"camera_id":"gate","after_operation_id":"` + none + `"}`, fault.NotFound, "no operation"},
		{`{"camera_id":"gate","plan_id":"` + none + `"}`, "not_enabled", "render"},
	} {
		s.refused(t, "camera_capture", c.arguments, c.code, c.words)
	}
	s.Cameras = nil
	s.refused(t, "camera_capture", `{"camera_id":"gate"}`, fault.NotFound, "none is set up")
	s.rewrite(t, `"inspect",`, ``)
	s.refused(t, "camera_capture", `{"pose":`+small+`}`, project.PermissionDenied, "inspect")
}

// TestCaptureAfter: while the operation goes on there is no picture that comes
// after it, however it is held up.
//
// clause: W-50, W-52
func TestCaptureAfter(t *testing.T) {
	t.Parallel()
	s := watched(t, nil)
	hold, held := make(chan struct{}), make(chan struct{})
	release := s.holdEdit(t, held, hold)
	defer release()
	plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[`+wall+`]}}`)
	o := s.call(t, "build_apply",
		`{"plan_id":"`+text(plan["plan_id"])+`","plan_hash":"`+text(plan["plan_hash"])+`","idempotency_key":"k"}`)
	<-held
	after := `{"pose":` + small + `,"after_operation_id":"` + text(o["operation_id"]) + `"}`
	s.refused(t, "camera_capture", after, worker.NotReady, "is applying")
	close(hold)
	if _, err := s.Engine.Wait(t.Context(), "default", uuid.MustParse(text(o["operation_id"]))); err != nil {
		t.Fatal(err)
	}
	if c, refused := s.fetch(t, after); refused != nil || !gold(picture(t, c)) {
		t.Errorf("after its end: %v", refused)
	}
}

// TestPreview: a plan is seen before anything of it is there, and the picture
// says that it is none of the world.
//
// clause: W-50, W-51
func TestPreview(t *testing.T) {
	t.Parallel()
	s := watched(t, nil)
	s.switchOn(t, "render")
	plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[`+wall+`]}}`)
	c, refused := s.fetch(t, `{"pose":`+small+`,"plan_id":"`+text(plan["plan_id"])+`"}`)
	if refused != nil {
		t.Fatal(refused)
	}
	if c["preview"] != true || c["serverRevisionVerified"] != false || !gold(picture(t, c)) {
		t.Errorf("preview %v, verified %v, gold %t", c["preview"], c["serverRevisionVerified"], gold(picture(t, c)))
	}
	if c, refused = s.fetch(t, `{"pose":`+small+`}`); refused != nil || gold(picture(t, c)) {
		t.Errorf("the plan is in the world (%v)", refused)
	}
	s.refused(t, "camera_capture", `{"pose":`+small+`,"plan_id":"`+uuid.NewString()+`"}`, fault.NotFound, "no plan")
}

// TestNoPicture: no camera, one that shows something else and one that cannot be
// understood are never a success.
//
// clause: W-52
func TestNoPicture(t *testing.T) {
	t.Parallel()
	answer := func(status int, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, text)
		})
	}
	for name, c := range map[string]struct {
		drawing http.Handler
		change  func(*site)
		code    fault.Code
	}{
		"no camera":   {nil, func(s *site) { s.Camera.URL = "http://127.0.0.1:1" }, worker.Unavailable},
		"no key":      {nil, func(s *site) { s.Camera.Key = func() (string, error) { return "", errors.New("no file") } }, worker.Unavailable},
		"other key":   {nil, func(s *site) { s.Camera.Key = func() (string, error) { return "other", nil } }, worker.Unavailable},
		"stale":       {answer(200, `{"revision":7,"mediaType":"image/png","image":"AAAA"}`), nil, worker.NotReady},
		"nothing":     {answer(200, `{}`), nil, worker.Unavailable},
		"missing":     {answer(409, `{"error":{"code":"capture_not_ready","message":"chunks in view are missing"}}`), nil, worker.NotReady},
		"busy":        {answer(503, `{"error":{"code":"busy","message":"another picture is being drawn"}}`), nil, worker.NotReady},
		"broken down": {answer(500, `oops`), nil, worker.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := watched(t, c.drawing)
			if c.change != nil {
				c.change(s)
			}
			got, refused := s.fetch(t, `{"pose":`+small+`}`)
			if refused == nil || refused.Code != c.code {
				t.Errorf("%v, %v; want %s", got, refused, c.code)
			}
		})
	}
}
