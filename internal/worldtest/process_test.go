package worldtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/services/world/key"
)

// build makes the program once for all tests, in a folder that lasts for all of
// them.
var build = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "pharos"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", folder, "github.com/pharos-mcp/pharos/cmd/pharos").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w\n%s", err, out)
	}
	return err
})

var folder string // "" where nothing was built

// server is a process of the program that serves a world.
type server struct {
	url     string // of the RPC
	java    string // where players come in
	folder  string // the world's
	config  string
	keys    map[key.Holder]string
	command *exec.Cmd
	stderr  logged
	ended   chan struct{} // closed once it has ended
	err     error         // how it ended
}

// configure writes the configuration of a world over a database.
func configure(t testing.TB, folder, database string) (file string) {
	t.Helper()
	text, err := json.Marshal(fields{
		"world":    fields{"listen": "127.0.0.1:0", "java": "127.0.0.1:0", "live": "127.0.0.1:0", "folder": folder, "owner": owner.String()},
		"database": fields{"url": database},
	})
	ok(t, err)
	file = filepath.Join(t.TempDir(), "config.json")
	ok(t, os.WriteFile(file, text, 0o600))
	return file
}

// command is the program.
func command(t testing.TB, config string) *exec.Cmd {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(filepath.Join(folder, "pharos"), "serve", "-config", config, "world")
	c.Env = append(os.Environ(), "REDIS_URL=", "DATABASE_URL=")
	return c
}

// serve starts a process, and returns when it serves. It is killed when the test
// ends, if not before.
func serve(t testing.TB, world, database string) *server {
	t.Helper()
	s := &server{folder: world, config: configure(t, world, database), keys: map[key.Holder]string{}, ended: make(chan struct{})}
	s.command = command(t, s.config)
	s.command.Stderr = leak.Watch("a process's log", &s.stderr)
	stdout, err := s.command.StdoutPipe()
	ok(t, err)
	ok(t, s.command.Start())
	out := bufio.NewReader(stdout)
	for err == nil && (s.keys[key.Agent] == "" || s.java == "") {
		var line string
		line, err = out.ReadString('\n')
		if url, found := strings.CutPrefix(line, "world, RPC: "); found {
			s.url = strings.TrimSpace(url)
		}
		if _, address, found := strings.Cut(line, "world, for Minecraft 1.20.2: "); found {
			s.java = strings.TrimSpace(address)
		}
		if keys, found := strings.CutPrefix(line, "world, keys: "); found {
			for _, holder := range []key.Holder{key.Admin, key.Agent} {
				s.keys[holder], err = key.Read(filepath.Join(strings.TrimSpace(keys), string(holder)))
			}
		}
	}
	go func() {
		defer close(s.ended)
		_, _ = io.Copy(io.Discard, out)
		s.err = s.command.Wait()
	}()
	t.Cleanup(func() {
		s.end(syscall.SIGKILL)
		for holder, text := range s.keys {
			if strings.Contains(s.stderr.String(), text) {
				t.Errorf("the key of the %s stands in the log", holder)
			}
		}
	})
	if err != nil || s.url == "" {
		s.end(syscall.SIGKILL)
		t.Fatalf("it does not serve: %v\n%s", err, s.stderr.String())
	}
	return s
}

// end ends the process, and returns when it has ended.
func (s *server) end(by os.Signal) {
	if err := s.command.Process.Signal(by); err != nil && !errors.Is(err, os.ErrProcessDone) {
		panic(err)
	}
	<-s.ended
}

// TestSecondProcess: a world has one owner at a time, by whatever name its folder
// is opened, and the next one as soon as that is gone.
//
// clause: W-24, W-35
func TestSecondProcess(t *testing.T) {
	t.Parallel()
	world := filepath.Join(t.TempDir(), "world")
	first := serve(t, world, database(t))
	link := filepath.Join(t.TempDir(), "link")
	ok(t, os.Symlink(world, link))
	for _, name := range []string{world, link} {
		second := command(t, configure(t, name, database(t)))
		late := time.AfterFunc(15*time.Second, func() { _ = second.Process.Kill() }) // should it serve
		out, err := second.CombinedOutput()
		late.Stop()
		if err == nil || !strings.Contains(string(out), fmt.Sprintf("process %d has it open", first.command.Process.Pid)) {
			t.Errorf("a second process over %s: %v\n%s", name, err, out)
		}
	}
	first.result(t, key.Agent, "project_context", fields{})
	first.end(syscall.SIGKILL)
	third := serve(t, world, database(t))
	third.result(t, key.Agent, "project_context", fields{})
	if third.keys[key.Agent] != first.keys[key.Agent] || third.keys[key.Admin] != first.keys[key.Admin] {
		t.Error("the keys are others after the start")
	}
	third.end(syscall.SIGTERM)
	if third.err != nil {
		t.Errorf("it ended with %v\n%s", third.err, third.stderr.String())
	}
}

// TestKilledServer kills the program while it builds, and decides by the RPC of
// the next one, as an owner does.
//
// clause: W-02, W-20, W-21, W-22, W-23
func TestKilledServer(t *testing.T) {
	t.Parallel()
	world := filepath.Join(t.TempDir(), "world")
	s := serve(t, world, database(t))
	plan := func(block string) fields {
		p := s.result(t, key.Agent, "build_prepare", fields{"recipe": fields{"version": 1, "operations": []fields{{
			"type": "box", "min": fields{"x": -8, "y": 63, "z": -8}, "max": fields{"x": 7, "y": 78, "z": 7}, "block": block,
		}}}})
		return fields{"plan_id": p["plan_id"], "plan_hash": p["plan_hash"], "idempotency_key": "build-" + p.text("plan_id")}
	}
	first := plan("minecraft:stone")
	o := s.result(t, key.Agent, "build_apply", first) // 8 ticks
	id := fields{"operation_id": o["operation_id"]}
	for o["written"].(float64) == 0 {
		o = s.result(t, key.Agent, "operation_status", id)
	}
	s.end(syscall.SIGKILL)
	s = serve(t, world, database(t))
	if o = s.result(t, key.Agent, "operation_status", id); o.text("status") != "recovery_required" {
		t.Fatalf("after the start: %v", o)
	}
	if again := s.result(t, key.Agent, "build_apply", first); again["operation_id"] != o["operation_id"] || again.text("status") != "recovery_required" {
		t.Errorf("the same call: %v", again)
	}
	second := plan("minecraft:bricks")
	s.refused(t, key.Agent, "build_apply", second, 400, "recovery_required")
	s.refused(t, key.Agent, "recovery_review", id, 403, "permission_denied")
	review := s.result(t, key.Admin, "recovery_review", id)
	if review["positions"].(float64) < o["written"].(float64) || review["foreignStates"] != 0.0 {
		t.Errorf("the review: %v of %v", review, o)
	}
	wrong := fields{"operation_id": o["operation_id"], "expected_digest": strings.Repeat("0", 64)}
	s.refused(t, key.Admin, "recovery_abandon", wrong, 400, "invalid_request")
	s.refused(t, key.Agent, "build_apply", second, 400, "recovery_required")
	wrong["expected_digest"] = review["currentDigest"]
	if o = s.result(t, key.Admin, "recovery_abandon", wrong); o.text("status") != "failed" {
		t.Errorf("abandoned: %v", o)
	}
	s.refused(t, key.Agent, "operation_undo_prepare", id, 400, "nothing_to_undo")
	// What was prepared before the decision may have been seen by it, and goes on.
	next := s.result(t, key.Agent, "build_apply", second)
	id = fields{"operation_id": next["operation_id"]}
	for next.text("status") == "queued" || next.text("status") == "applying" {
		next = s.result(t, key.Agent, "operation_status", id)
	}
	if next.text("status") != "applied" {
		t.Errorf("the next build: %v", next)
	}
}
