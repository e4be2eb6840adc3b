package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/leak"
)

// configFile writes a configuration and returns its name.
func configFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pharos.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// start runs `pharos serve` on ports that the system chooses and returns the
// client configuration that it prints.
func start(t *testing.T) (url string, headers map[string]string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	file := configFile(t, `{"edge":{"listen":"127.0.0.1:0"},
		"platform":{"listen":"127.0.0.1:0","private_listen":"127.0.0.1:0"},"database":{"state":"postgres"}}`)
	reader, stdout := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"serve", "-config", file, "platform", "edge"}, nil, stdout, leak.Watch("the log", io.Discard))
	}()
	t.Cleanup(func() {
		stop()
		if got := <-status; got != 0 {
			t.Errorf("exit status %d, want 0", got)
		}
	})
	var configuration strings.Builder
	scanner := bufio.NewScanner(reader)
	for scanner.Scan() {
		if line := scanner.Text(); configuration.Len() > 0 || line == "{" {
			configuration.WriteString(line)
			if line == "}" {
				break
			}
		}
	}
	var parsed struct {
		Servers map[string]struct {
			URL     string
			Headers map[string]string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(configuration.String()), &parsed); err != nil {
		t.Fatalf("%v: %s", err, configuration.String())
	}
	return parsed.Servers["platform"].URL, parsed.Servers["platform"].Headers
}

type withHeaders map[string]string

func (h withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestSession goes all the way: client, edge, generated request, service.
//
// clause: E-10, E-12, E-14, E-15, E-16
func TestSession(t *testing.T) {
	t.Parallel()
	url, headers := start(t)
	for n, era := range []string{"2025-11-25", "2026-07-28"} {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: url, HTTPClient: &http.Client{Transport: withHeaders(headers)},
		}, &mcp.ClientSessionOptions{ProtocolVersion: era})
		if err != nil {
			t.Fatal(err)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != 54 {
			t.Errorf("%s: %d tools, want 54", era, len(list.Tools))
		}
		// The same identifiers in both eras: the second one gets the receipts.
		for _, step := range steps {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
				Name: step.tool, Arguments: json.RawMessage(step.arguments),
			})
			if err != nil {
				t.Fatalf("%s: %s: %v", era, step.tool, err)
			}
			text := result.Content[0].(*mcp.TextContent).Text
			if result.IsError != step.isError || !strings.Contains(text, step.says) {
				t.Errorf("%s (run %d): %s %s\n got isError %v %s\nwant isError %v %s",
					era, n, step.tool, step.arguments, result.IsError, text, step.isError, step.says)
			}
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
}

const (
	ticket = `"path":{"id":"11111111-1111-4111-8111-111111111111"}`
	key    = `"Idempotency-Key":"22222222-2222-4222-8222-222222222222"`
)

var steps = []struct {
	tool, arguments string
	isError         bool
	says            string
}{
	// The example of the source, as it is written there.
	{"create_support_ticket", `{"path": {"id": "11111111-1111-4111-8111-111111111111"}, "parameters": {"Idempotency-Key": ` +
		`"22222222-2222-4222-8222-222222222222", "If-Match": "0"}, "body": {"title": "A support request", "body": "Please investigate."}}`,
		false, `{"operation_id":"createSupportTicket","status":201,"result":{"body":"Please investigate."`},
	{"create_support_ticket", `{` + ticket + `,"parameters":{` + key + `,"If-Match":"0"},"body":{"title":"Another","body":"one"}}`,
		true, `"status":409,"result":{"aggregateId":"11111111-1111-4111-8111-111111111111","rejection":"idempotency_key_reuse"`},
	{"create_support_ticket", `{` + ticket + `,"parameters":{"If-Match":"0"},"body":{"title":"t","body":"b"}}`,
		true, `"code":"invalid_arguments"`},
	{"list_support_tickets", `{"parameters":{"cursor":"bm8"}}`,
		true, `{"operation_id":"listSupportTickets","status":400,"error":{"code":"invalid_request"`},
	{"add_support_ticket_comment", `{` + ticket + `,"parameters":{` + key + `,"If-Match":"1"},"body":{"body":"Any news?"}}`,
		false, `"status":201,"result":{"aggregateId":"11111111-1111-4111-8111-111111111111","status":"applied","version":2}}`},
	{"close_support_ticket", `{` + ticket + `,"parameters":{` + key + `,"If-Match":"2"}}`,
		false, `"status":200,"result":{"aggregateId":"11111111-1111-4111-8111-111111111111","status":"applied","version":3}}`},
	{"get_support_ticket", `{` + ticket + `}`, false, `"revision":3,"status":"closed"`},
	{"get_support_ticket", `{"path":{"id":"33333333-3333-4333-8333-333333333333"}}`,
		true, `{"operation_id":"getSupportTicket","status":404,"error":{"code":"not_found","message":"the API answered 404 Not Found"}}`},
	{"list_support_tickets", `{"parameters":{"status":"closed","limit":1}}`, false, `"title":"A support request"`},
	{"list_support_ticket_comments", `{` + ticket + `}`, false, `"body":"Any news?"`},
	{"get_support_ticket_transcript", `{` + ticket + `}`, false, `"result":"A support request\nclosed, revision 3`},
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c, err := loadConfig("")
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	c.Database.State = state
	got, err := c.completed(services)
	if err != nil {
		t.Fatal(err)
	}
	want := edge.Upstream{URL: "http://127.0.0.1:8081", Assertion: edge.Assertion{
		Issuer: "http://127.0.0.1:8080/mcp", KeyFile: filepath.Join(state, "gateway.key.json"),
	}}
	if d := cmp.Diff(want, got.Edge.Upstreams["platform"]); d != "" || got.Edge.Listen != "127.0.0.1:8080" || got.Edge.Path != "/mcp" {
		t.Errorf("the edge is at %s%s: %s", got.Edge.Listen, got.Edge.Path, d)
	}
	if got.Edge.Authentication.Mode != "oauth" || got.Broker.Issuer != "http://127.0.0.1:8080" ||
		got.Broker.Upstream.Issuer != "http://127.0.0.1:8084" || got.Platform.PrivateListen != "127.0.0.1:8085" {
		t.Errorf("%+v", got)
	}
	if got, err = c.completed([]string{"platform", "edge"}); err != nil || got.Edge.Authentication.Mode != "" {
		t.Errorf("without a broker: mode %q, error %v", got.Edge.Authentication.Mode, err)
	}
	c, err = loadConfig(configFile(t, `{"edge":{"authentication":{"token_file":"t","mode":"token"},"upstreams":{"platform":{"url":"https://a"}}},
		"database":{"state":"s"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(c.Database.State) {
		t.Errorf("%+v", c.Database)
	}
	if got, err = c.completed(services); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(edge.Upstream{URL: "https://a"}, got.Edge.Upstreams["platform"]); d != "" || !filepath.IsAbs(got.Edge.Authentication.TokenFile) {
		t.Errorf("with a file: %+v", got)
	}
}

func TestComplain(t *testing.T) {
	t.Parallel()
	var w bytes.Buffer
	complain(&w, errors.Join(errors.New("initdb: exit status 1\n\nno space left\n"), errors.New("closed")))
	want := "pharos: initdb: exit status 1\npharos: no space left\npharos: closed\n"
	if d := cmp.Diff(want, w.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args   []string
		status int
		stdout string
		stderr []string
	}{
		"nothing":         {nil, 2, "", []string{"usage: pharos serve"}},
		"help":            {[]string{"help"}, 0, "usage: pharos serve", nil},
		"help of serve":   {[]string{"serve", "-h"}, 0, "usage: pharos serve", nil},
		"unknown command": {[]string{"sevre"}, 2, "", []string{`pharos: unknown command "sevre"`, "hint: "}},
		"unknown service": {[]string{"serve", "egde"}, 2, "", []string{`pharos: unknown service "egde"`}},
		"unknown flag":    {[]string{"serve", "-x"}, 2, "", []string{"pharos: flag provided but not defined: -x"}},
		"unknown members": {[]string{"serve", "-config", configFile(t, `{"egde":{},"edge":{"lisn":""}}`)}, 1, "",
			[]string{"egde: unknown member", "pharos: edge.lisn: unknown member"}},
		"every problem": {[]string{"serve", "-config", configFile(t,
			`{"platform":{"listen":"0.0.0.0:1"},"edge":{"listen":"x","authentication":{"mode":"y"}}}`)}, 1, "",
			[]string{"pharos: platform.listen:", "pharos: edge.listen:", "pharos: edge.authentication.mode:"}},
		"no such port": {[]string{"serve", "-config", configFile(t, `{"platform":{"listen":"127.0.0.1:70000"}}`)}, 1, "",
			[]string{`pharos: platform.listen: "127.0.0.1:70000" is not host:port`}},
		"too many slots": {[]string{"serve", "-config", configFile(t, `{"platform":{"slots":65}}`)}, 1, "",
			[]string{`pharos: platform.slots: 65 is not from -1 to 64`}},
		"public addresses": {[]string{"serve", "-config", configFile(t,
			`{"platform":{"listen":"0.0.0.0:8081","private_listen":"0.0.0.0:8085","slots":-2}}`)}, 1, "",
			[]string{`platform.listen: "0.0.0.0:8081" is not host:port on loopback`, "platform.slots: -2 is",
				`platform.private_listen: "0.0.0.0:8085" is not host:port on loopback`}},
		"a public address of an origin": {[]string{"serve", "-config", configFile(t,
			`{"platform":{"listen":"0.0.0.0:0","private_listen":"127.0.0.1:0","origin":"http://a.example"},"database":{"url":"postgres:///x"}}`)},
			1, "", []string{`pharos: platform.origin: "http://a.example" is not https://host or https://host:port`}},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), c.args, nil, &stdout, &stderr); got != c.status {
			t.Errorf("%s: exit status %d, want %d\n%s", name, got, c.status, stderr.String())
		}
		if c.stdout == "" != (stdout.Len() == 0) || !strings.Contains(stdout.String(), c.stdout) {
			t.Errorf("%s: stdout %q, want %q", name, stdout.String(), c.stdout)
		}
		for _, part := range c.stderr {
			if !strings.Contains(stderr.String(), part) {
				t.Errorf("%s: stderr does not say %q:\n%s", name, part, stderr.String())
			}
		}
	}
	if diff := cmp.Diff([]string{"platform", "devidp", "broker", "edge", "play", "simulator", "camera", "world", "world-mcp", "world-bridge"}, services); diff != "" {
		t.Error(diff)
	}
}

// A service that stops needs those that started before it until it has stopped.
func TestServicesStopInOrder(t *testing.T) {
	t.Parallel()
	failure := errors.New("failed")
	for _, fails := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan context.Context, 1)
		rs := running{
			{run: func(ctx context.Context, _ net.Listener) error {
				first <- ctx
				<-ctx.Done()
				return nil
			}},
			{run: func(ctx context.Context, _ net.Listener) error {
				before := <-first
				if fails {
					return failure
				}
				cancel()
				<-ctx.Done()
				if before.Err() != nil {
					t.Error("the first service was stopped before the last had stopped")
				}
				return nil
			}},
		}
		if err := rs.serve(ctx); errors.Is(err, failure) != fails {
			t.Errorf("fails %v: got %v", fails, err)
		}
		cancel()
	}
}
