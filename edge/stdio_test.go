package edge_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/leak"
)

// asProgram makes the test binary the program of the shop: what a client that
// speaks stdio starts.
const asProgram = "PHAROS_TEST_SHOP"

// TestMain reads along for secrets in what the tests print and log.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(edge.Main(os.Args[1:], os.Stdout, os.Stderr, shop()))
	}
	os.Exit(leak.Main(m))
}

// TestStdioClient starts the program as go-sdk's client does, in both eras.
func TestStdioClient(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(respond(200, "application/json", `{"id":"x","count":9007199254740993}`))
	defer upstream.Close()
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			command := exec.Command(os.Args[0], "-stdio", "-upstream", "shop="+upstream.URL)
			command.Env = append(os.Environ(), asProgram+"=1")
			var stderr bytes.Buffer
			command.Stderr = &stderr
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: command},
				&mcp.ClientSessionOptions{ProtocolVersion: era})
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 7 {
				t.Errorf("tools: %v, %v; want all 7", list, err)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_item", Arguments: json.RawMessage(withID)})
			if err != nil {
				t.Fatal(err)
			}
			if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "9007199254740993") {
				t.Errorf("get_item: %s", text)
			}
			result, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_item", Arguments: json.RawMessage(`{}`)})
			if err != nil || !result.IsError {
				t.Errorf("get_item without an id: %v, %v", result, err)
			}
			if err := session.Close(); err != nil { // waits for the program
				t.Error(err)
			}
			if got := strings.Count(stderr.String(), `"msg":"call"`); got != 2 {
				t.Errorf("%d events of 2 calls: %s", got, stderr.String())
			}
		})
	}
}

// stdio is an edge that serves two streams.
type stdio struct {
	in     io.WriteCloser
	out    *bufio.Scanner
	log    *lockedBuffer
	stop   context.CancelFunc
	served chan error
}

func serveStdio(t *testing.T, config edge.Config, reply http.HandlerFunc) *stdio {
	t.Helper()
	upstream := httptest.NewServer(reply)
	t.Cleanup(upstream.Close)
	config.Upstreams = map[string]edge.Upstream{"shop": {URL: upstream.URL}}
	p := &stdio{log: &lockedBuffer{}, served: make(chan error, 1)}
	s, err := edge.New(config.ForStdio(), shop(), edge.Options{Log: slog.New(slog.NewJSONHandler(leak.Watch("the log", p.log), nil))})
	if err != nil {
		t.Fatal(err)
	}
	p.run(t, s)
	return p
}

// run serves the streams until it is stopped.
func (p *stdio) run(t *testing.T, s *edge.Server) {
	input, in := io.Pipe()
	out, output := io.Pipe()
	p.in, p.out = in, bufio.NewScanner(out)
	p.out.Buffer(nil, 8<<20)
	ctx, stop := context.WithCancel(t.Context())
	p.stop = stop
	go func() {
		p.served <- s.ServeStdio(ctx, input, output)
		_ = output.Close()
	}()
}

// rest reads the replies that are left, by id, until the output ends.
func (p *stdio) rest(t *testing.T) map[string]string {
	t.Helper()
	replies := map[string]string{}
	for p.out.Scan() {
		var reply struct{ ID json.RawMessage }
		if err := json.Unmarshal(p.out.Bytes(), &reply); err != nil {
			t.Errorf("the output is not JSON: %q", p.out.Text())
		}
		replies[string(reply.ID)] += p.out.Text()
	}
	return replies
}

const shake = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// A call, without its id, and a part of the reply to it.
const (
	askItem = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_item","arguments":` + withID + `}}`
	gotItem = `"structuredContent":{"operation_id":"getItem","status":200`
)

// TestStdioLosesNoReply ends the input, or stops the server, with calls under
// way that the upstream has not answered.
func TestStdioLosesNoReply(t *testing.T) {
	t.Parallel()
	const calls = 20
	for name, end := range map[string]func(*stdio){
		"the input ends":      func(p *stdio) { _ = p.in.Close() },
		"the server is ended": func(p *stdio) { p.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, release := make(chan struct{}, calls), make(chan struct{})
			p := serveStdio(t, edge.Config{}, func(w http.ResponseWriter, r *http.Request) {
				arrived <- struct{}{}
				<-release
				respond(200, "application/json", `{"id":"x"}`)(w, r)
			})
			go func() {
				_, _ = io.WriteString(p.in, shake)
				for n := range calls {
					_, _ = fmt.Fprintf(p.in, askItem+"\n", n)
				}
				for range calls {
					<-arrived
				}
				end(p)
				close(release)
			}()
			replies := p.rest(t)
			if err := <-p.served; err != nil {
				t.Error(err)
			}
			for n := range calls {
				if got := replies[fmt.Sprint(n)]; strings.Count(got, gotItem) != 1 {
					t.Errorf("call %d: %s", n, got)
				}
			}
			if len(replies) != calls+1 {
				t.Errorf("%d replies to %d calls and a handshake", len(replies), calls)
			}
		})
	}
}

// TestStdioGoesOn sends lines that are no messages between those that are.
func TestStdioGoesOn(t *testing.T) {
	t.Parallel()
	p := serveStdio(t, edge.Config{}, respond(200, "application/json", `{"id":"x"}`))
	go func() {
		_, _ = io.WriteString(p.in, fmt.Sprintf(askItem, 0)+"\n"+shake+strings.Join([]string{
			``,
			`{`,
			`no JSON`,
			`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
			`{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":4,"method":"ping","Method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":5,"method":"ping"}` + "\r",
			`{"jsonrpc":"2.0","id":6,"method":"no/such"}`,
			strings.Replace(fmt.Sprintf(askItem, 7), `{"path":`, `{"path":{"id":"y"},"path":`, 1),
			fmt.Sprintf(askItem, 8), // without a line end
		}, "\n"))
		_ = p.in.Close()
	}()
	replies := p.rest(t)
	if err := <-p.served; err != nil {
		t.Error(err)
	}
	for id, want := range map[string]string{
		"0": `"error":{"code":-32600,`, "": `"error":{"code":400`, "4": `"error":{"code":400`, "5": `"result":{}`, "6": `"error":{"code":-32601`,
		"7": `invalid_arguments`, "8": gotItem,
	} {
		if !strings.Contains(replies[id], want) {
			t.Errorf("the reply to %q does not say %s: %s", id, want, replies[id])
		}
	}
	if got := strings.Count(replies[""], "\"error\""); got != 4 {
		t.Errorf("%d errors without an id, want 4: %s", got, replies[""])
	}
}

// TestStdioAdmits calls more than one caller may have under way.
//
// clause: E-58
func TestStdioAdmits(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}), make(chan struct{})
	one := edge.Config{Admission: edge.Admission{CallerConcurrency: 1}}
	p := serveStdio(t, one, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		respond(200, "application/json", `{"id":"x"}`)(w, r)
	})
	call := askItem + "\n"
	_, _ = io.WriteString(p.in, strings.SplitAfter(shake, "\n")[0])
	p.out.Scan()
	go func() {
		_, _ = fmt.Fprintf(p.in, call, 1)
		<-arrived
		_, _ = fmt.Fprintf(p.in, call+call, 2, 1)
	}()
	replies := map[string]string{}
	for n := range 3 {
		if n == 2 { // both are refused while the first is under way
			close(release)
		}
		p.out.Scan()
		var reply struct{ ID json.RawMessage }
		_ = json.Unmarshal(p.out.Bytes(), &reply)
		replies[string(reply.ID)] += p.out.Text()
	}
	go func() { <-arrived }()
	_, _ = fmt.Fprintf(p.in, call, 3)
	_ = p.in.Close()
	replies["3"] = p.rest(t)["3"]
	if err := <-p.served; err != nil {
		t.Error(err)
	}
	for id, want := range map[string][]string{
		"1": {`"status":200`, `the id is that of a call under way`}, "2": {`"code":429`, `try again after 1 s`},
		"3": {`"status":200`},
	} {
		for _, part := range want {
			if !strings.Contains(replies[id], part) {
				t.Errorf("the reply to %s does not say %q: %s", id, part, replies[id])
			}
		}
	}
}

// A line that is too long costs its own message and no other.
//
// clause: E-13, E-58
func TestStdioBoundsLines(t *testing.T) {
	t.Parallel()
	p := serveStdio(t, edge.Config{}, respond(200, "application/json", `{"id":"x"}`))
	const bound = 1 << 20
	ping := func(id string, size int) string {
		head, tail := `{"jsonrpc":"2.0","id":"`+id+`","method":"ping","params":{"x":"`, `"}}`
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	large := strings.Replace(fmt.Sprintf(askItem, 1), withID, `{"path":{"id":"`+strings.Repeat("x", 8<<20)+`"}}`, 1)
	go func() {
		_, _ = io.WriteString(p.in, shake+large+"\n"+ping("over", bound+1)+"\n \t\r\n"+ping("at", bound)+"\r\n"+
			fmt.Sprintf(askItem, 2)+"\n"+ping("end", 2*bound))
		_ = p.in.Close()
	}()
	replies := p.rest(t)
	if err := <-p.served; err != nil {
		t.Errorf("it ended with %v", err)
	}
	for id, part := range map[string]string{
		"1": `"code":413`, `"over"`: `"code":413`, `"at"`: `"result":{}`, "2": gotItem, `"end"`: `"code":413`,
	} {
		if !strings.Contains(replies[id], part) {
			t.Errorf("the reply to %s does not say %s: %.300s", id, part, replies[id])
		}
	}
	if len(replies) != 6 {
		t.Errorf("%d replies, want 6", len(replies))
	}
	if told := p.log.String(); !strings.Contains(told, `"outcome":"too_large"`) {
		t.Errorf("the call that was too large is not told of: %s", told)
	}
}
