package platform

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
	operation string     // as generated code names it; "" where there is none
	code      fault.Code // of a problem
	err       error      // what its caller does not see
	reason    error      // why its credential was refused, which its caller does not see either
}

type eventKey struct{}

// eventOf is the event of a request. Outside of one it is nobody's.
func eventOf(ctx context.Context) *event {
	if e, ok := ctx.Value(eventKey{}).(*event); ok {
		return e
	}
	return &event{}
}

// logged gives each request an id and writes one event about it at its end,
// with nothing of what it says. A panic becomes a problem.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		e, reply, id := &event{}, &reply{ResponseWriter: w}, uuid.NewString()
		w.Header().Set("X-Request-Id", id)
		r = r.WithContext(context.WithValue(r.Context(), eventKey{}, e))
		defer func() {
			cut := recover()
			if cut != nil && cut != http.ErrAbortHandler {
				e.err = fmt.Errorf("panic: %v\n%s", cut, debug.Stack())
				if reply.status == 0 {
					problem(reply, r, http.StatusInternalServerError, fault.New(fault.Internal, "internal error"))
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

func (e *event) write(log *slog.Logger, r *http.Request, id string, status int, took time.Duration) {
	level := slog.LevelInfo
	attributes := []slog.Attr{
		slog.String("id", id), slog.String("operation", e.operation), slog.Int("status", status),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if e.code != "" {
		attributes = append(attributes, slog.String("code", string(e.code)))
	}
	if e.reason != nil {
		attributes = append(attributes, slog.String("reason", e.reason.Error()))
	}
	if e.err != nil {
		level = slog.LevelError
		attributes = append(attributes, slog.String("error", e.err.Error()))
	}
	log.LogAttrs(r.Context(), level, "request", attributes...)
}

// reply notes the status of a reply.
type reply struct {
	http.ResponseWriter
	status int // 0 until it begins
}

// WriteHeader implements http.ResponseWriter.
func (w *reply) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *reply) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }
