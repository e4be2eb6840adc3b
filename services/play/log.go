package play

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// event is what is logged about one request.
type event struct {
	code fault.Code // of a refusal; "" for none
	err  error      // what its caller does not see
}

type eventKey struct{}

// eventOf is the event of a request. Outside of one it is nobody's.
func eventOf(ctx context.Context) *event {
	if e, ok := ctx.Value(eventKey{}).(*event); ok {
		return e
	}
	return &event{}
}

// logged gives each request an id and writes one event about it at its end. It
// names the route and never the path, which may hold what its author keeps to
// themselves, and nothing that was sent or answered. A panic is a status 500.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		e, reply, id := &event{}, &reply{ResponseWriter: w}, uuid.NewString()
		w.Header().Set("X-Request-Id", id)
		r = r.WithContext(context.WithValue(r.Context(), eventKey{}, e))
		defer func() {
			cut := recover()
			if cut != nil && cut != http.ErrAbortHandler {
				e.err = ofPanic(cut)
				if reply.status == 0 {
					turnDown(reply, r, http.StatusInternalServerError, fault.New(fault.Internal, "internal error"))
					cut = nil
				}
			}
			e.write(log, r, id, reply.status, time.Since(begun))
			if cut != nil {
				panic(http.ErrAbortHandler) // what has begun is cut off
			}
		}()
		next.ServeHTTP(reply, r)
	})
}

// ofPanic says where a panic was. Its value may repeat what somebody sent.
func ofPanic(p any) error { return fmt.Errorf("panic: a value of type %T\n%s", p, debug.Stack()) }

func (e *event) write(log *slog.Logger, r *http.Request, id string, status int, took time.Duration) {
	level := slog.LevelInfo
	attributes := []slog.Attr{
		slog.String("id", id), slog.String("method", methodOf(r)), slog.String("route", r.Pattern),
		slog.Int("status", status), slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if e.code != "" {
		attributes = append(attributes, slog.String("code", string(e.code)))
	}
	if e.err != nil {
		level = slog.LevelError
		attributes = append(attributes, slog.String("error", e.err.Error()))
	}
	log.LogAttrs(r.Context(), level, "request", attributes...)
}

// methodOf is the method, or "" for one that its sender made up.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return ""
}
