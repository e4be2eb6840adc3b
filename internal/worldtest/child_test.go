package worldtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
)

// orderVariable names the environment variable that makes this program one that
// is killed, and says what it does.
const orderVariable = "PHAROS_WORLDTEST_ORDER"

// order is what a process does.
type order struct {
	Folder   string
	Database string
	Seed     uint64
	Round    int
	Paced    bool
	Point    crashpoint.Point // where it kills itself, "" nowhere
	Pass     int              // when it passes there for the n-th time
}

// report is what a process printed.
type report struct {
	events []event
	passes map[crashpoint.Point]int // where it ended by itself
	killed bool
}

// obey is the process.
func obey(text string) (status int) {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if err := o.work(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (o order) work(ctx context.Context) error {
	passes := o.arm()
	pool, err := pg.Pool(o.Database)
	if err != nil {
		return err
	}
	p, _, err := inFolder(o.Folder, pool)
	if err != nil {
		return err
	}
	p.paced = o.Paced
	s, err := p.open(ctx)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout) // each event is one write
	tell := func(e event) { _ = out.Encode(e) }
	tell(event{Did: opened})
	script := script{site: s, round: o.Round, random: rand.New(rand.NewPCG(o.Seed, 1)), tell: tell}
	if err := script.run(ctx); err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	tell(event{Did: ended})
	return out.Encode(passes())
}

// arm has the process kill itself where it is told to. The result counts how
// often each point was passed.
func (o order) arm() (passes func() map[crashpoint.Point]int) {
	var mu sync.Mutex
	count := map[crashpoint.Point]int{}
	crashpoint.Arm(func(p crashpoint.Point) {
		mu.Lock()
		defer mu.Unlock()
		if count[p]++; p == o.Point && count[p] == o.Pass {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // nobody passes any point any more
		}
	})
	return func() map[crashpoint.Point]int {
		mu.Lock()
		defer mu.Unlock()
		return count
	}
}

// process is one that is under way.
type process struct {
	command *exec.Cmd
	out     *bufio.Scanner
	stderr  *logged
	report  report
}

// start starts a process, and returns when it has opened its world.
func (o order) start(t testing.TB) *process {
	t.Helper()
	text, err := json.Marshal(o)
	ok(t, err)
	p := &process{command: exec.Command(os.Args[0]), stderr: &logged{}}
	p.command.Env = append(os.Environ(), orderVariable+"="+string(text))
	p.command.Stderr = p.stderr
	stdout, err := p.command.StdoutPipe()
	ok(t, err)
	ok(t, p.command.Start())
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	p.out = bufio.NewScanner(stdout)
	return p
}

// next reads an event.
func (p *process) next() (e event, more bool) {
	if !p.out.Scan() || json.Unmarshal(p.out.Bytes(), &e) != nil || e.Did == "" {
		return event{}, false
	}
	p.report.events = append(p.report.events, e)
	return e, true
}

// rest reads what a process prints until it ends.
func (p *process) rest(t testing.TB) report {
	t.Helper()
	for {
		if e, more := p.next(); !more || e.Did == ended {
			break
		}
	}
	if p.out.Scan() {
		ok(t, json.Unmarshal(p.out.Bytes(), &p.report.passes))
	}
	if err := p.command.Wait(); err != nil {
		status, _ := p.command.ProcessState.Sys().(syscall.WaitStatus)
		p.report.killed = status.Signaled() && status.Signal() == syscall.SIGKILL
		if !p.report.killed {
			t.Fatalf("a process ended with %v\n%s", err, p.stderr.String())
		}
	}
	return p.report
}

// run runs a process to its end.
func (o order) run(t testing.TB) report {
	t.Helper()
	return o.start(t).rest(t)
}

// killAfter kills a process a time after it has opened its world.
func (o order) killAfter(t testing.TB, d time.Duration) report {
	t.Helper()
	p := o.start(t)
	if _, more := p.next(); !more {
		return p.rest(t)
	}
	timer := time.AfterFunc(d, func() { _ = p.command.Process.Kill() })
	defer timer.Stop()
	return p.rest(t)
}
