package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/leak"
)

// build makes the program once for all tests that start it, in a folder that
// lasts for all of them.
var build = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "pharos"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", folder, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w\n%s", err, out)
	}
	return err
})

var folder string // "" where nothing was built

func program(t *testing.T) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return folder + "/pharos"
}

// TestMain reads along for secrets in what the tests print.
func TestMain(m *testing.M) {
	status := leak.Main(m)
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(status)
}

// TestStdio starts the program as an MCP client does, twice at a time.
func TestStdio(t *testing.T) {
	t.Parallel()
	file := configFile(t, `{"database":{"state":"postgres"}}`)
	for range 2 {
		command := exec.Command(program(t), "serve", "-stdio", "-config", file)
		var stderr bytes.Buffer
		command.Stderr = leak.Watch("the program's log", &stderr)
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		defer func() {
			if err := session.Close(); err != nil { // waits for the program
				t.Error(err)
			}
			if got := strings.Count(stderr.String(), `"msg":"call"`); got != len(steps) {
				t.Errorf("%d events of %d calls: %s", got, len(steps), stderr.String())
			}
		}()
		for _, step := range steps {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
				Name: step.tool, Arguments: json.RawMessage(step.arguments),
			})
			if err != nil {
				t.Fatal(err)
			}
			text := result.Content[0].(*mcp.TextContent).Text
			if result.IsError != step.isError || !strings.Contains(text, step.says) {
				t.Errorf("%s %s: got %s, want %s", step.tool, step.arguments, text, step.says)
			}
		}
	}
}

// TestStopLosesNoReply ends the program, with SIGTERM, while many calls are
// under way and more are coming. Each gets its whole reply, or an error, and
// then the API has not heard of it.
func TestStopLosesNoReply(t *testing.T) {
	t.Parallel()
	const clients = 48
	var heard sync.Map
	var underWay atomic.Int64
	full, release := make(chan struct{}), make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard.Store(path.Base(path.Dir(r.URL.Path)), true)
		if underWay.Add(1) == clients {
			close(full)
		}
		<-release
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, r.URL.Path+strings.Repeat(" whole", 10_000))
	}))
	defer api.Close()
	file := configFile(t, fmt.Sprintf(`{"edge":{"listen":"127.0.0.1:0","authentication":{"mode":"anonymous"},"notice":"300ms",
		"admission":{"caller_concurrency":500,"calls_per_minute":-1},"upstreams":{"platform":{"url":%q}}}}`, api.URL))
	command := exec.Command(program(t), "serve", "-config", file, "edge")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command.Stderr = leak.Watch("the program's log", &stderr)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	printed := bufio.NewScanner(stdout)
	printed.Scan()
	url := strings.Fields(printed.Text())[1]

	var replied atomic.Int64
	var calling sync.WaitGroup
	for n := range clients {
		calling.Go(func() {
			transport := &http.Transport{DisableKeepAlives: n%2 == 0}
			defer transport.CloseIdleConnections()
			for i := 0; ; i++ {
				id := fmt.Sprintf("%08d-1111-4111-8111-%012d", n, i)
				err := transcript(t.Context(), transport, url, id)
				if err == nil {
					replied.Add(1)
					continue
				}
				if _, ok := heard.Load(id); ok {
					t.Errorf("the API heard of call %s, its client did not: %v", id, err)
				}
				return
			}
		})
	}
	<-full
	ready := func() int {
		r, err := http.Get(strings.TrimSuffix(url, "/mcp") + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		return r.StatusCode
	}
	if got := ready(); got != http.StatusOK {
		t.Errorf("/readyz before the end: %d", got)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for ready() == http.StatusOK { // until the signal has come
	}
	close(release)
	calling.Wait()
	_, _ = io.Copy(io.Discard, stdout)
	if err := command.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, stderr.String())
	}
	if got := replied.Load(); got < clients {
		t.Errorf("%d replies to at least %d calls", got, clients)
	}
}

// transcript calls a tool once. The reply must be whole, and the call's own.
func transcript(ctx context.Context, transport *http.Transport, url, id string) error {
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_support_ticket_transcript",` +
		`"arguments":{"path":{"id":"` + id + `"}}}}`
	// Without GetBody the transport does not ask again by itself.
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, io.NopCloser(strings.NewReader(message)))
	if err != nil {
		return err
	}
	r.ContentLength = int64(len(message))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	reply, err := transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer func() { _ = reply.Body.Close() }()
	body, err := io.ReadAll(reply.Body)
	whole := json.Valid(body) && bytes.Contains(body, []byte(id)) && !bytes.Contains(body, []byte(`"isError":true`))
	if err == nil && !whole {
		return fmt.Errorf("it got %.300s", body)
	}
	return err
}
