//go:build unix

package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// script runs its arguments until the pipe at 3 ends, which it does too when
// the process that holds the other end dies in whatever way. SIGINT is
// PostgreSQL's fast shutdown; it is repeated, for the server may be too young
// to have heard the first; there is an end to it, for the dead hear nothing. A
// scratch folder goes when the server has gone.
const script = `"$@" 3<&- & server=$!
{ read -r _ <&3 || for try in 1 2 3 4 5 6 7 8 9; do kill -INT $server 2>/dev/null || break; sleep 1; done; } &
wait $server; status=$?; kill $! 2>/dev/null
[ -z "$SCRATCH" ] || rm -rf "$SCRATCH"
exit $status`

// stopLimit is the longest that a server may take to shut down before it is
// killed, after which its next start takes longer and loses nothing.
const stopLimit = 15 * time.Second

// Process is a running server. It ends with the process that started it.
type Process struct {
	cluster Cluster
	command *exec.Cmd
	life    *os.File      // the server runs as long as this is open
	ended   chan struct{} // closed once it has ended
}

// taken are what a server logs when an earlier one of the same folder, or a
// connection of one, has not quite ended.
var taken = regexp.MustCompile(`lock file ".*" already exists|pre-existing shared memory block`)

// Start runs the server of a cluster, whose folder is the caller's alone, and
// returns when it takes connections. It waits for an earlier server to end.
func (c Cluster) Start(ctx context.Context) (*Process, error) {
	for began := time.Now(); ; {
		p, err := c.start(ctx)
		if err == nil || !taken.MatchString(err.Error()) {
			return p, err
		}
		c.evict(time.Since(began))
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// evict ends an earlier server that nothing else would end, the harder the
// longer it has not, and removes the files of a process id that is no server's:
// after the machine was started again it may be anybody's, and where nobody
// reaps the dead, theirs.
func (c Cluster) evict(tried time.Duration) {
	for _, file := range []string{c.pidFile(), c.socket() + ".lock"} {
		switch pid := pidIn(file); {
		case pid == 0:
		case !c.isServer(pid):
			_ = os.Remove(file)
		case !certain && !c.answers(): // it may be anybody's
		case tried > stopLimit:
			_ = syscall.Kill(pid, syscall.SIGQUIT) // PostgreSQL's immediate shutdown
		default:
			_ = syscall.Kill(pid, syscall.SIGINT)
		}
	}
	if tried > 2*stopLimit {
		for _, pid := range c.workers() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func (c Cluster) start(ctx context.Context) (*Process, error) {
	account, err := c.account()
	if err != nil {
		return nil, err
	}
	if err := account.own(c.Folder, c.Socket); err != nil {
		return nil, err
	}
	log, begin, err := c.openLog()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	reading, life, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reading.Close()
	before, _ := os.ReadFile(c.pidFile()) // of a server that was killed

	postgres := filepath.Join(c.Binaries.Folder, "postgres")
	arguments := append([]string{"-c", script, "sh", postgres, "-D", c.data()}, c.options()...)
	command := exec.Command("/bin/sh", arguments...)
	command.Env, command.Dir = environment(), "/"
	if c.Scratch {
		command.Env = append(command.Env, "SCRATCH="+c.Folder)
	}
	command.Stdout, command.Stderr = log, log
	command.ExtraFiles = []*os.File{reading}
	command.SysProcAttr = account.attributes()
	command.SysProcAttr.Setpgid = true // Ctrl-C is for the program, which then stops the server
	if err := command.Start(); err != nil {
		life.Close()
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	p := &Process{cluster: c, command: command, life: life, ended: make(chan struct{})}
	go func() {
		_ = command.Wait() // why it ended is in its log
		close(p.ended)
	}()
	if err := p.await(ctx, string(before)); err != nil {
		p.Stop()
		where := c.log()
		if end := tail(where, begin); end != "" {
			where += ", which ends:\n" + end
		}
		return nil, fmt.Errorf("%w; its log is %s", err, where)
	}
	return p, nil
}

// await waits until the server takes connections. The server tells nobody but
// the file of its process id.
func (p *Process) await(ctx context.Context, before string) error {
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for {
		if content, err := os.ReadFile(p.cluster.pidFile()); err == nil && string(content) != before && ready(content) {
			return nil
		}
		select {
		case <-tick.C:
		case <-p.ended:
			return errors.New("PostgreSQL did not start")
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL was not ready in time: %w", context.Cause(ctx))
		}
	}
}

// Ended is closed when the server has ended, whoever ended it.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Stop shuts the server down: open transactions are rolled back and clients
// are told. It returns when the server has ended.
func (p *Process) Stop() {
	_ = p.life.Close() // twice is no harm
	select {
	case <-p.ended:
	case <-time.After(stopLimit):
		p.Kill()
	}
}

// Kill ends the server as a crash would, and returns when it has ended.
func (p *Process) Kill() {
	// The shell lives on to reap the server: a start takes one that nobody
	// reaped for one that runs.
	pid := p.cluster.pid()
	if pid == 0 {
		pid = -p.command.Process.Pid // it did not come as far: the whole group
	}
	select {
	case <-p.ended:
	default:
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, pid := range p.cluster.workers() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-p.ended
	_ = p.life.Close()
}

// environment is what the programs of PostgreSQL get: nothing that could point
// them to another server or speak another language.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}
