package bridge_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/bridge"
	"github.com/pharos-mcp/pharos/services/world/chat"
)

// runs reports whether a process runs, where that can be seen.
func runs(t *testing.T, pid string) bool {
	t.Helper()
	if _, err := strconv.Atoi(pid); err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// leadAlone leads an agent, asks it one thing, and prints what is said.
func leadAlone(mode string) {
	b, err := bridge.New(bridge.Config{
		Command: []string{os.Args[0], "agent", mode}, Folder: os.TempDir(),
		Server: bridge.Server{Token: func() (string, error) { return token, nil }, Program: []string{"none"}},
	}, &alone{})
	if err == nil {
		err = b.Run(context.Background())
	}
	panic(err)
}

// alone is a board on the standard output.
type alone struct{ asked bool }

func (a *alone) Poll(ctx context.Context, _ string) ([]chat.Message, error) {
	if a.asked {
		<-ctx.Done()
	}
	a.asked = true
	return []chat.Message{{ID: "1", Project: "default", Text: "a house", Type: chat.Prompt}}, nil
}

func (*alone) Reply(_ context.Context, r chat.Reply) error {
	fmt.Println(r.Text)
	return nil
}

// TestKilled: no agent outlives a bridge that is killed, though it would not stop
// by itself.
//
// clause: W-41, W-42
func TestKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("an agent that does not read its input lives on here")
	}
	c := exec.Command(os.Args[0], "bridge", "sleeps")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(out)
	scanner.Scan()
	ids := pids(scanner.Text())
	if len(ids) != 1 || !runs(t, ids[0]) {
		t.Errorf("the bridge says %q", scanner.Text())
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	until(t, "the agent still runs", func() bool { return len(ids) == 1 && !runs(t, ids[0]) })
}
