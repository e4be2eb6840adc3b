package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/extension"
)

// listen asks for a stream, in the era that has them.
const listen = `{"jsonrpc":"2.0","id":%q,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

// askLater is a call in that era.
var askLater = strings.Replace(askItem, `"arguments"`, `"_meta":{`+metaOf("2026-07-28")+`},"arguments"`, 1)

// TestStdioProgramEnds starts the program on real pipes, sends everything at
// once and closes its input: it answers all of it and is gone.
func TestStdioProgramEnds(t *testing.T) {
	t.Parallel()
	const calls = 20
	upstream := httptest.NewServer(respond(200, "application/json", `{"id":"x"}`))
	defer upstream.Close()
	for round := range 6 {
		var input strings.Builder
		for n := range calls {
			if round%2 == 0 {
				_, _ = fmt.Fprintf(&input, askLater+"\n", n)
			}
			_, _ = fmt.Fprintf(&input, listen+"\n", fmt.Sprint("s", n))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		command := exec.CommandContext(ctx, os.Args[0], "-stdio", "-upstream", "shop="+upstream.URL)
		command.Env = append(os.Environ(), asProgram+"=1")
		command.Stdin = strings.NewReader(input.String())
		var stderr bytes.Buffer
		command.Stderr = &stderr
		output, err := command.Output()
		cancel()
		if err != nil {
			t.Fatalf("it ended with %v\n%s", err, stderr.String())
		}
		replies := map[string]int{}
		for line := range bytes.Lines(output) {
			var reply struct {
				ID     json.RawMessage
				Result json.RawMessage
			}
			if err := json.Unmarshal(line, &reply); err != nil {
				t.Errorf("%v: %s", err, line)
			}
			if reply.Result != nil {
				replies[string(reply.ID)]++
			}
		}
		for n := range calls {
			if call, stream := replies[fmt.Sprint(n)], replies[fmt.Sprintf(`"s%d"`, n)]; call != 1-round%2 || stream != 1 {
				t.Errorf("round %d: %d replies to call %d and %d to its stream", round, call, n, stream)
			}
		}
	}
}

// TestStdioEndsStreams has streams open that nothing else would end.
func TestStdioEndsStreams(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(in io.Closer, stop func()){
		"the input ends":      func(in io.Closer, _ func()) { _ = in.Close() },
		"the server is ended": func(_ io.Closer, stop func()) { stop() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, answered := make(chan struct{}), make(chan struct{})
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				close(arrived)
				<-answered
				respond(200, "application/json", `{"id":"x"}`)(w, r)
			}))
			defer upstream.Close()
			changing := &extension.Extension{Register: func(*mcp.Server) {}, Configure: func(o *mcp.ServerOptions) {
				o.Capabilities = &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}}
			}}
			config := edge.Config{
				Admission: edge.Admission{CallerConcurrency: 2},
				Upstreams: map[string]edge.Upstream{"shop": {URL: upstream.URL}},
			}
			s, err := edge.New(config.ForStdio(), shop(), edge.Options{Extension: changing})
			if err != nil {
				t.Fatal(err)
			}
			p := &stdio{served: make(chan error, 1)}
			p.run(t, s)
			_, _ = fmt.Fprintf(p.in, listen+"\n"+listen+"\n", "a", "b")
			for range 2 {
				if p.out.Scan(); !strings.Contains(p.out.Text(), "subscriptions/acknowledged") {
					t.Errorf("a stream begins with %s", p.out.Text())
				}
			}
			_, _ = fmt.Fprintf(p.in, listen+"\n", "c")
			if p.out.Scan(); !strings.Contains(p.out.Text(), `"code":429`) {
				t.Errorf("the third stream of two: %s", p.out.Text())
			}
			_, _ = fmt.Fprintf(p.in, askLater+"\n", 1)
			<-arrived
			start := time.Now()
			end(p.in, p.stop)
			time.AfterFunc(50*time.Millisecond, func() { close(answered) }) // the streams end first
			replies := p.rest(t)
			if err := <-p.served; err != nil || time.Since(start) > 10*time.Second {
				t.Errorf("after %v it ended with %v", time.Since(start), err)
			}
			for id, want := range map[string]string{`"a"`: `"resultType":"complete"`, `"b"`: `"resultType":"complete"`, "1": gotItem} {
				if !strings.Contains(replies[id], want) {
					t.Errorf("the reply to %s: %s", id, replies[id])
				}
			}
		})
	}
}

// TestStdioDoesNotWaitForAReader ends although nobody reads the last reply.
func TestStdioDoesNotWaitForAReader(t *testing.T) {
	t.Parallel()
	p := serveStdio(t, edge.Config{Timeout: edge.Duration(50 * time.Millisecond)}, respond(200, "application/json", `{"id":"x"}`))
	_, _ = io.WriteString(p.in, shake+`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
	_ = p.in.Close()
	select {
	case err := <-p.served:
		if err == nil || !strings.Contains(err.Error(), "nobody read") {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it waits for a reader")
	}
}
