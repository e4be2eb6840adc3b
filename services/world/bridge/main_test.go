package bridge_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/bridge/demo"
)

// TestMain is also the agents that the tests start.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "agent" {
		if os.Args[2] == "demo" {
			if err := demo.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
				os.Exit(1)
			}
			return
		}
		(&rude{mode: os.Args[2], lines: bufio.NewScanner(os.Stdin)}).serve()
		return
	}
	if len(os.Args) == 3 && os.Args[1] == "bridge" {
		leadAlone(os.Args[2])
		return
	}
	for name, value := range map[string]string{"PHAROS_TEST_SECRET": "hidden", "PHAROS_TEST_NAMED": "shown", "LANG": "C.UTF-8"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// rude is an agent that does what agents should not. It knows no library.
type rude struct {
	mode   string
	lines  *bufio.Scanner
	server string // that it was told of
	asked  int    // questions
}

// message is one of JSON-RPC.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

func (r *rude) read() message {
	if !r.lines.Scan() {
		os.Exit(0)
	}
	var m message
	if err := json.Unmarshal(r.lines.Bytes(), &m); err != nil {
		panic(err)
	}
	return m
}

func (r *rude) write(format string, values ...any) {
	if _, err := fmt.Printf(format+"\n", values...); err != nil {
		os.Exit(0)
	}
}

func (r *rude) say(text string) {
	quoted, _ := json.Marshal(text) // strings always encode
	r.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":`+
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%s}}}}`, quoted)
}

func (r *rude) end(id json.RawMessage, reason string) {
	r.write(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":%q}}`, id, reason)
}

func (r *rude) serve() {
	r.lines.Buffer(nil, 1<<20)
	for {
		switch m := r.read(); m.Method {
		case "initialize":
			r.initialize(m.ID)
		case "session/new":
			r.server = string(m.Params)
			if r.mode == "login" {
				r.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Authentication required"}}`, m.ID)
				continue
			}
			r.write(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}`, m.ID)
		case "session/prompt":
			r.asked++
			r.answer(m)
		}
	}
}

func (r *rude) initialize(id json.RawMessage) {
	version, http := 1, r.mode != "stdio"
	switch r.mode {
	case "silent":
		return
	case "old":
		version = 0
	case "quits":
		fmt.Fprintln(os.Stderr, "the licence has run out")
		os.Exit(3)
	case "garbage":
		r.write("Welcome!\n\n\x1b[1mnull\n17\n[{}]\n{}\n{\"id\":7}")
		r.write(`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"no such"}}}`)
		r.write(`{"jsonrpc":"2.0","method":"session/update","params":"%s"}`, strings.Repeat("x", 3<<20))
		r.write(`{"jsonrpc":"2.0","id":"%s","method":"fs/read_text_file"}`, strings.Repeat("i", 300))
	}
	r.write(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%d,"agentCapabilities":{"mcpCapabilities":{"http":%t}}}}`,
		id, version, http)
}

// answer answers a question. Most say who they are: a process that ended is
// followed by another.
func (r *rude) answer(m message) {
	who := fmt.Sprintf("pid %d, question %d\n", os.Getpid(), r.asked)
	switch r.mode {
	case "slow", "stubborn":
		r.say(who)
		for !strings.Contains(string(m.Params), "a door") {
			if next := r.read(); next.Method == "session/cancel" && r.mode == "slow" {
				r.end(m.ID, "cancelled")
				return
			}
		}
	case "sleeps": // and does not see that its input ends
		r.say(who)
		time.Sleep(time.Minute)
	case "dies":
		r.say(who)
		if r.asked == 1 {
			os.Exit(1)
		}
	case "leaves":
		if err := leave(); err != nil {
			panic(err)
		}
		r.say(who)
		os.Exit(0)
	case "mute":
		r.say(who)
		_ = os.Stdout.Close()
		time.Sleep(time.Minute)
	case "refuses":
		r.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no credit with key %s","data":"%s"}}`,
			m.ID, token, strings.Repeat("d", 5000))
		return
	case "knows":
		names := []string{}
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		folder, _ := os.Getwd()
		r.say(fmt.Sprintf("%s\n%s\n%s", strings.Join(names, " "), folder, m.Params))
	case "stdio":
		r.say(r.server)
	case "asks":
		r.ask("permission", `"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"1","title":"mcp__world__build_apply"},`+options)
		r.ask("elsewhere", `"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"2","title":"bash"},`+options)
		r.ask("untitled", `"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"3"},`+options)
		r.ask("optionless", `"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"4","title":"bash"},"options":[]}`)
		r.ask("file", `"fs/read_text_file","params":{"sessionId":"s","path":"/etc/passwd"}`)
		r.ask("terminal", `"terminal/create","params":{"sessionId":"s","command":"id"}`)
	case "floods":
		for range 20_000 {
			r.say("all work and no play ")
		}
	case "endless":
		for {
			r.say(strings.Repeat("z", 500_000))
		}
	case "deaf":
		for i := 0; ; i++ {
			r.write(`{"jsonrpc":"2.0","id":%d,"method":"terminal/create","params":{}}`, i)
		}
	default:
		r.say(who)
	}
	r.end(m.ID, "end_turn")
	if r.mode == "late" {
		r.say("but another thing")
	}
}

const options = `"options":[{"optionId":"always","name":"","kind":"allow_always"},{"optionId":"once","name":"","kind":"allow_once"},` +
	`{"optionId":"never","name":"","kind":"reject_once"}]}`

// ask asks the client something, and says what it answered.
func (r *rude) ask(name, request string) {
	r.write(`{"jsonrpc":"2.0","id":%q,"method":%s}`, name, request)
	m := r.read()
	r.say(fmt.Sprintf("%s: %s%s\n", name, m.Result, m.Error))
}

// leave starts a process that outlives this one and holds its output.
func leave() error {
	c := exec.Command("sleep", "60")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Start()
}
