package worker

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
)

// The bounds of a request.
const (
	maxOrder    = 4 << 10
	maxSnapshot = 64 << 20 // packed
)

// Path is where pictures are asked for.
const Path = "/v1/frame"

// New is the worker's handler. Who asks shows its key. One picture is drawn at a
// time; who asks meanwhile is told to come back.
func New(key string, log *slog.Logger) http.Handler {
	w := &worker{key: sha256.Sum256([]byte(key)), log: log, drawing: make(chan struct{}, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+Path, w.frame)
	mux.HandleFunc("GET /health", func(rw http.ResponseWriter, _ *http.Request) {
		reply(rw, http.StatusOK, map[string]string{"status": "ok"})
	})
	return mux
}

type worker struct {
	key     [sha256.Size]byte
	log     *slog.Logger
	drawing chan struct{}
}

func (w *worker) frame(rw http.ResponseWriter, r *http.Request) {
	shown, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	digest := sha256.Sum256([]byte(shown))
	if !bearer || subtle.ConstantTimeCompare(digest[:], w.key[:]) != 1 {
		refuse(rw, http.StatusUnauthorized, "unauthenticated", "show the worker's key")
		return
	}
	select {
	case w.drawing <- struct{}{}:
		defer func() { <-w.drawing }()
	default:
		refuse(rw, http.StatusServiceUnavailable, "busy", "another picture is being drawn")
		return
	}
	r.Body = http.MaxBytesReader(rw, r.Body, maxOrder+maxSnapshot+4<<10)
	order, s, err := read(r)
	if err != nil {
		refuse(rw, http.StatusBadRequest, "invalid_request", err.Error())
		return
	}
	f, err := Draw(s, order)
	switch {
	case errors.Is(err, ErrMissing):
		refuse(rw, http.StatusConflict, "capture_not_ready", err.Error())
	case err != nil:
		refuse(rw, http.StatusBadRequest, "invalid_request", err.Error())
	default:
		w.log.Info("camera", "revision", f.Revision, "view", f.View, "bytes", len(f.Image))
		reply(rw, http.StatusOK, f)
	}
}

// read takes the two parts of a request, in their order.
func read(r *http.Request) (o Order, s *snapshot.Snapshot, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return o, nil, err
	}
	order, err := part(parts, "order")
	if err != nil {
		return o, nil, err
	}
	text, err := io.ReadAll(io.LimitReader(order, maxOrder+1))
	if err != nil {
		return o, nil, err
	}
	if len(text) > maxOrder {
		return o, nil, errors.New("the order is too large")
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return o, nil, err
	}
	picture, err := part(parts, "snapshot")
	if err != nil {
		return o, nil, err
	}
	s, err = snapshot.Decode(picture)
	return o, s, err
}

func part(parts *multipart.Reader, name string) (*multipart.Part, error) {
	p, err := parts.NextPart()
	if err != nil {
		return nil, err
	}
	if p.FormName() != name {
		return nil, errors.New("part " + name + " is missing")
	}
	return p, nil
}

// problem is what a refusal says.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func refuse(rw http.ResponseWriter, status int, code, message string) {
	reply(rw, status, map[string]problem{"error": {code, message}})
}

func reply(rw http.ResponseWriter, status int, v any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.Header().Set("Cache-Control", "no-store")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(v) // who asked may be gone
}
