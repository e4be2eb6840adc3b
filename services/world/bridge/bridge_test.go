package bridge_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/bridge"
	"github.com/pharos-mcp/pharos/services/world/chat"
)

// pids are the processes that said who they are, in order.
func pids(text string) (all []string) {
	for _, m := range regexp.MustCompile(`pid (\d+), question`).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// until waits for something that is seen from outside alone.
func until(t *testing.T, otherwise string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal(otherwise)
		}
	}
}

// TestStarts: an agent is one process for all questions of a project, and no
// other project's; what it says reaches who asked alone.
//
// clause: W-40, W-42
func TestStarts(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "kind"))
	for range 2 {
		if r := h.ask(t, "hello"); r.Error != "" {
			t.Error(r.Error)
		}
	}
	if err := h.Ask(chat.Message{Player: bob, Project: "other", Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	h.end(t)
	own, other := pids(h.saw(ann)), pids(h.saw(bob))
	if len(own) != 2 || own[0] != own[1] || len(other) != 1 || other[0] == own[0] {
		t.Errorf("the processes are %v and %v", own, other)
	}
}

// TestProject: an agent whose tools act in one project is asked in no other.
//
// clause: W-40
func TestProject(t *testing.T) {
	t.Parallel()
	h := open()
	c := usual(t, h, "kind")
	c.Project = "other"
	h.lead(t, c)
	if r := h.ask(t, "hello"); r.Error != "no builder works in this project" || h.saw(ann) != r.Error {
		t.Errorf("%+v, %q", r, h.saw(ann))
	}
}

// TestKnows: an agent knows of this machine what it was given, and of the
// question where the player stands.
//
// clause: W-42
func TestKnows(t *testing.T) {
	t.Parallel()
	h := open()
	c := usual(t, h, "knows")
	h.lead(t, c)
	if r := h.ask(t, "a house, \"please\""); r.Error != "" {
		t.Error(r.Error)
	}
	saw := h.saw(ann)
	folder, err := filepath.EvalSymlinks(c.Folder)
	if err != nil {
		t.Fatal(err)
	}
	names := "LANG PATH PHAROS_TEST_NAMED"
	for _, name := range []string{"HOME", "TMPDIR"} {
		if os.Getenv(name) != "" {
			names += " " + name
		}
	}
	for name := range strings.FieldsSeq(strings.SplitN(saw, "\n", 2)[0]) {
		if !strings.Contains(" "+names+" ", " "+name+" ") && name != "PWD" {
			t.Errorf("the agent has the variable %s", name)
		}
	}
	for _, want := range []string{"PHAROS_TEST_NAMED", folder, "x 1.5, y 65.0, z -2.5 and looks at the block at x 3, y 64, z -2", `a house, \"please\"`} {
		if !strings.Contains(saw, want) {
			t.Errorf("%q is not in %s", want, saw)
		}
	}
}

// TestStdio: an agent that speaks no HTTP is told of a program, and of no key.
//
// clause: W-42
func TestStdio(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "stdio"))
	h.ask(t, "hello")
	want := `"mcpServers":[{"args":["serve","-stdio","world-mcp"],"command":"pharos","env":[],"name":"world"}]`
	if saw := h.saw(ann); !strings.Contains(saw, want) || strings.Contains(saw, token) {
		t.Error(saw)
	}
}

// TestPermission: the world's tools are allowed, once; nothing else is, and there
// are no files and no terminals.
//
// clause: W-42
func TestPermission(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "asks"))
	if r := h.ask(t, "hello"); r.Error != "" {
		t.Error(r.Error)
	}
	want := []string{
		`permission: {"outcome":{"optionId":"once","outcome":"selected"}}`, `elsewhere: {"outcome":{"optionId":"never","outcome":"selected"}}`,
		`untitled: {"outcome":{"optionId":"never","outcome":"selected"}}`, `optionless: {"outcome":{"outcome":"cancelled"}}`,
		`file: {"code":-32601,"message":"Method not found","data":{"method":"fs/read_text_file"}}`,
		`terminal: {"code":-32601,"message":"Method not found","data":{"method":"terminal/create"}}`,
	}
	if saw := h.saw(ann); saw != strings.Join(want, "\n") {
		t.Errorf("the agent got\n%s\nwant\n%s", saw, strings.Join(want, "\n"))
	}
}

// TestCancel: an agent that stops when it is told to goes on with the next
// question; one that does not is ended, and another takes its place.
//
// clause: W-40, W-41
func TestCancel(t *testing.T) {
	t.Parallel()
	for mode, same := range map[string]bool{"slow": true, "stubborn": false} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := open()
			h.lead(t, usual(t, h, mode))
			h.wish(t, "a house")
			h.reply(t)
			h.Stop("default")
			if r := h.end(t); r.Error != "you stopped it" {
				t.Errorf("the turn ended with %+v", r)
			}
			if r := h.ask(t, "a door"); r.Error != "" {
				t.Error(r.Error)
			}
			if ids := pids(h.saw(ann)); len(ids) != 2 || (ids[0] == ids[1]) != same {
				t.Errorf("the processes are %v", ids)
			}
		})
	}
}

// TestLong: a turn has its time.
func TestLong(t *testing.T) {
	t.Parallel()
	h := open()
	c := usual(t, h, "slow")
	c.Turn = time.Second
	h.lead(t, c)
	if r := h.ask(t, "a house"); r.Error != "it took too long and was stopped" {
		t.Errorf("%+v", r)
	}
}

// TestDeath: a turn whose agent ends in the middle, leaves a process behind or
// says nothing more is over, and the next question starts another agent.
//
// clause: W-41
func TestDeath(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"dies", "leaves", "mute"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := open()
			h.lead(t, usual(t, h, mode))
			began := time.Now()
			for range 2 {
				if r := h.ask(t, "a house"); !strings.Contains(r.Error, "ended in the middle of it; look at the world") {
					t.Errorf("%+v", r)
				}
			}
			if ids := pids(h.saw(ann)); len(ids) != 2 || ids[0] == ids[1] {
				t.Errorf("the processes are %v", ids)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestNotReady: an agent that does not start, or does not become ready, is told
// of, with the reason where there is one.
func TestNotReady(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{
		"silent": "the builder's agent is not ready: it is not ready after 500ms",
		"old":    "the builder's agent is not ready: it speaks version 0 of the protocol, and version 1 is needed",
		"login":  "the builder's agent is not ready: it wants somebody to log in",
		"quits":  "the builder's agent is not ready: ",
		"none":   "the builder's agent cannot be started: ",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := open()
			c := usual(t, h, mode)
			if mode == "silent" {
				c.Start = 500 * time.Millisecond
			}
			if mode == "none" {
				c.Command = []string{filepath.Join(c.Folder, "none")}
			}
			h.lead(t, c)
			for range 2 {
				if r := h.ask(t, "a house"); !strings.HasPrefix(r.Error, want) {
					t.Errorf("%q, want %q", r.Error, want)
				}
			}
			if mode == "quits" && !strings.Contains(h.log.String(), "the licence has run out") {
				t.Errorf("the log does not say why:\n%s", h.log)
			}
		})
	}
}

// TestRefuses: what an agent says of a failure is told shortly, without the key.
func TestRefuses(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "refuses"))
	r := h.ask(t, "a house")
	if !strings.HasPrefix(r.Error, "the builder's agent failed: ") || !strings.Contains(r.Error, "no credit with key …") || len([]rune(r.Error)) > 300 {
		t.Errorf("%d: %s", len(r.Error), r.Error)
	}
}

// TestGarbage: what is no message, or too long, is as if it had not been written.
func TestGarbage(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "garbage"))
	if r := h.ask(t, "a house"); r.Error != "" || len(pids(h.saw(ann))) != 1 {
		t.Errorf("%+v, %q\n%s", r, h.saw(ann), h.log)
	}
	if n := strings.Count(h.log.String(), "no message"); n != 1 {
		t.Errorf("the log tells of it %d times", n)
	}
}

// TestFloods: an agent that says much in a moment is heard as far as the bound of
// a turn goes, and is not taken for dead.
func TestFloods(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "floods"))
	r := h.ask(t, "a house")
	saw := len(h.saw(ann))
	if r.Error != "" || saw > chat.MaxReply || saw < chat.MaxReply*9/10 {
		t.Errorf("%+v, and %d bytes were shown", r, saw)
	}
}

// TestEndless: an agent that never stops is ended.
func TestEndless(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "endless"))
	if r := h.ask(t, "a house"); !strings.Contains(r.Error, "said too much") {
		t.Errorf("%+v", r)
	}
}

// TestDeaf: an agent that asks and does not listen is ended.
func TestDeaf(t *testing.T) {
	t.Parallel()
	h := open()
	h.lead(t, usual(t, h, "deaf"))
	if r := h.ask(t, "a house"); !strings.Contains(r.Error, "ended in the middle of it") {
		t.Errorf("%+v", r)
	}
}

// TestClosed: a bridge that ends tells who waits, and leaves no agent behind.
//
// clause: W-41
func TestClosed(t *testing.T) {
	t.Parallel()
	h := open()
	stop := h.lead(t, usual(t, h, "stubborn"))
	h.wish(t, "a house")
	h.reply(t)
	if err := stop(); err != nil {
		t.Error(err)
	}
	if r := h.end(t); !strings.HasPrefix(r.Error, "the builder was stopped; look at the world") {
		t.Errorf("%+v", r)
	}
	if pid := pids(h.saw(ann))[0]; runs(t, pid) {
		t.Errorf("the agent %s still runs", pid)
	}
}

// TestTakenOver: a bridge that another took over from ends by itself, with its
// agents, and nothing that it was asked is asked again.
//
// clause: W-41
func TestTakenOver(t *testing.T) {
	t.Parallel()
	h := open()
	stop := h.lead(t, usual(t, h, "stubborn"))
	h.wish(t, "a house")
	h.reply(t)
	h.lead(t, usual(t, h, "kind"))
	until(t, "the player is not told", func() bool { return strings.Contains(h.saw(ann), "not repeated") })
	if r := h.ask(t, "a door"); r.Error != "" {
		t.Error(r.Error)
	}
	ids := pids(h.saw(ann))
	if len(ids) != 2 {
		t.Errorf("ann saw %q", h.saw(ann))
	}
	until(t, "the agent of the bridge before still runs", func() bool { return !runs(t, ids[0]) })
	if err := stop(); !errors.Is(err, bridge.ErrDisplaced) {
		t.Error(err)
	}
}

// TestUnheard: the world hears of the end of a turn however often it takes; and
// where it does not, it may cancel what is not under way any more.
//
// clause: W-40
func TestUnheard(t *testing.T) {
	t.Parallel()
	h := open()
	h.refuse = 20
	h.lead(t, usual(t, h, "kind"))
	if r := h.ask(t, "a house"); r.Error != "" || h.refuse != 0 {
		t.Errorf("%+v", r)
	}
	messages := make(chan []chat.Message, 1)
	forgetful := forgets{h, messages}
	b, err := bridge.New(usual(t, h, "kind"), forgetful)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = b.Run(t.Context()) }()
	messages <- []chat.Message{{ID: "7", Player: ann, Project: "default", Type: chat.Cancel}}
	if r := h.end(t); r.ID != "7" || !r.Done || r.Player != ann {
		t.Errorf("%+v", r)
	}
}

// forgets is a board with messages of its own, that takes every reply.
type forgets struct {
	*hall
	messages <-chan []chat.Message
}

func (f forgets) Poll(ctx context.Context, _ string) ([]chat.Message, error) {
	select {
	case m := <-f.messages:
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f forgets) Reply(_ context.Context, r chat.Reply) error {
	f.ended <- r
	return nil
}

// TestNeeds: a bridge is not made without what it needs.
func TestNeeds(t *testing.T) {
	t.Parallel()
	h := open()
	for name, spoil := range map[string]func(*bridge.Config){
		"command": func(c *bridge.Config) { c.Command = nil },
		"token":   func(c *bridge.Config) { c.Server.Token = nil },
		"program": func(c *bridge.Config) { c.Server.Program = nil },
	} {
		c := usual(t, h, "kind")
		spoil(&c)
		if _, err := bridge.New(c, h); err == nil {
			t.Errorf("a bridge was made without its %s", name)
		}
	}
}
