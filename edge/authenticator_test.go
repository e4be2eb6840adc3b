package edge_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/fault"
)

// refusing is an authenticator that lets nobody in.
type refusing struct {
	err      error
	metadata string
}

func (r refusing) Authenticate(*http.Request) (*edge.Principal, error) { return nil, r.err }

func (r refusing) ResourceMetadata() string { return r.metadata }

// TestAuthenticatorsRefuse in three ways, of which the last tells nothing.
//
// clause: P-30, P-35
func TestAuthenticatorsRefuse(t *testing.T) {
	t.Parallel()
	catalog := shop()
	catalog.Bare = true
	for name, c := range map[string]struct {
		refusing
		status                         int
		says, challenge, after, logged string
	}{
		"nobody": {refusing{fault.New(fault.Unauthenticated, "who is calling?"), ""}, 401, "who is calling?", "Bearer", "", ""},
		"nobody, with a place to ask": {refusing{fault.New(fault.Unauthenticated, "who is calling?"), "https://a/.well-known/x"}, 401,
			"who is calling?", `Bearer resource_metadata="https://a/.well-known/x"`, "", ""},
		"nobody yet":     {refusing{fmt.Errorf("seat: %w", fault.New(fault.Unavailable, "try again")), ""}, 503, "try again", "", "1", "seat: try again"},
		"nobody so far":  {refusing{&fault.Fault{Code: fault.Unavailable, Message: "later", RetryAfter: 1500 * time.Millisecond}, ""}, 503, "later", "", "2", "later"},
		"not in time":    {refusing{fault.New(fault.Timeout, "too late"), ""}, 504, "too late", "", "", "too late"},
		"a refusal":      {refusing{&edge.Refusal{Status: 401, Challenge: "Bearer", Message: "no"}, "https://a"}, 401, "no", "Bearer", "", ""},
		"one for now":    {refusing{&edge.Refusal{Status: 503, Message: "no", Reason: errors.New("db-17 is away")}, ""}, 503, "no", "", "1", "db-17 is away"},
		"one for a time": {refusing{&edge.Refusal{Status: 429, Message: "no", RetryAfter: time.Minute}, ""}, 429, "no", "", "60", ""},
		"a mistake":      {refusing{errors.New("db-17 is away"), ""}, 500, "internal", "", "", "db-17 is away"},
		"an own one":     {refusing{fault.New(fault.Internal, "db-17 is away"), ""}, 500, "internal", "", "", "db-17 is away"},
	} {
		log := &lockedBuffer{}
		options := edge.Options{Authenticator: c.refusing, Exchange: &wire{}, Log: slog.New(slog.NewJSONHandler(log, nil))}
		s, err := edge.New(edge.Config{}, catalog, options)
		if err != nil {
			t.Fatal(err)
		}
		w := to(s, ping)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) || strings.Contains(w.Body.String(), "db-17") ||
			w.Header().Get("Www-Authenticate") != c.challenge || w.Header().Get("Retry-After") != c.after {
			t.Errorf("%s: %d %v %s; want %d %q, %q and %s s", name, w.Code, w.Header(), w.Body, c.status, c.says, c.challenge, c.after)
		}
		if (c.logged == "") != (log.String() == "") || !strings.Contains(log.String(), c.logged) {
			t.Errorf("%s: the log says %s, want %q", name, log, c.logged)
		}
	}
}
