package platformtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// patience bounds every request. The platform settles a write within 20 s of
// having a connection to the database, for which it waits 5 s, twice at most.
const patience = 35 * time.Second

// caller is somebody who calls the API.
type caller struct {
	client *http.Client
	token  string
}

func newCaller(t *testing.T, token string) *caller {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &caller{&http.Client{Transport: transport, Timeout: patience}, token}
}

// call is one request.
type call struct {
	method, path string
	key, ifMatch string // "" for none
	body         string // "" for none
}

// reply is what its caller learns.
type reply struct {
	Status     int
	MediaType  string
	ETag       string
	RetryAfter string
	Body       string
}

// do sends a request once.
func (c *caller) do(ctx context.Context, url string, x call) (reply, error) {
	r, err := http.NewRequestWithContext(ctx, x.method, url+x.path, nil)
	if err != nil {
		return reply{}, err
	}
	if x.body != "" {
		// Without GetBody the transport does not send it again by itself.
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(x.body)), int64(len(x.body))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	for name, value := range map[string]string{"Idempotency-Key": x.key, "If-Match": x.ifMatch} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	got, err := c.client.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	return reply{
		got.StatusCode, got.Header.Get("Content-Type"), got.Header.Get("ETag"), got.Header.Get("Retry-After"), string(body),
	}, err
}

// must is do for a request that has one good status.
func (c *caller) must(t *testing.T, url string, x call, status int) reply {
	t.Helper()
	r, err := c.do(t.Context(), url, x)
	if err != nil || r.Status != status {
		t.Fatalf("%s %s: %+v, %v; want status %d", x.method, x.path, r, err, status)
	}
	return r
}

// outcome is what became of a command, as the API says it.
type outcome struct {
	AggregateID string
	Version     int
	Status      string
	Rejection   string
}

// outcome reads a reply that must be one.
func (r reply) outcome(t *testing.T) (o outcome) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(r.Body))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil || r.MediaType != "application/json" {
		t.Fatalf("no outcome: %+v, %v", r, err)
	}
	return o
}

// identifier is the n-th UUID of a kind.
func identifier(kind byte, n int) string {
	return fmt.Sprintf("%c0000000-0000-4000-8000-%012x", kind, n)
}

// opening opens the n-th ticket, under a key that goes with it.
func opening(n int) call {
	return call{
		method: "PUT", path: "/support/tickets/" + identifier('1', n), key: identifier('2', n), ifMatch: `"0"`,
		body: fmt.Sprintf(`{"title":"ticket %d","body":"It does not work."}`, n),
	}
}

// newPipeline is the body that makes a pipeline, with the steps, in the project
// of these tests.
func newPipeline(name, steps string) string {
	return fmt.Sprintf(`{"project_id":%q,"name":%q,"definition":{"steps":[%s]}}`, identifier('b', 1), name, steps)
}

// one gives the only value of a row.
func one[T any](t *testing.T, pool *pgxpool.Pool, sql string, arguments ...any) (v T) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), sql, arguments...).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
