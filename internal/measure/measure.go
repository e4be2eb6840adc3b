// Package measure runs a command and says what it took.
package measure

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Run is a command that has ended.
type Run struct {
	Took   time.Duration // by the clock
	CPU    time.Duration // user and system time of the command and what it waited for
	Peak   int64         // largest resident size of any of these processes, in bytes
	Output string        // standard output and error, as they came
	Err    error
}

// Command runs c to its end. Its output, unless c sends it elsewhere, is kept
// in the result.
func Command(c *exec.Cmd) Run {
	var out bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	if c.Stderr == nil {
		c.Stderr = &out
	}
	forgetPeak()
	start := time.Now()
	err := c.Run()
	r := Run{Took: time.Since(start), Err: err}
	r.Output = out.String()
	if state := c.ProcessState; state != nil {
		r.CPU = state.UserTime() + state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			r.Peak = usage.Maxrss << 10 // Linux counts in KiB
		}
	}
	return r
}

// forgetPeak makes this process small. A new process shares the memory of the
// one that starts it for a moment, and Linux counts the starter's peak as its
// own: without this, whatever came after a large one would look as large.
func forgetPeak() {
	debug.FreeOSMemory()
	// See proc(5), clear_refs. Where it cannot be written the peak is too large.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// Fault describes a command that failed, with the head of what it printed.
func (r Run) Fault() error {
	if r.Err == nil {
		return nil
	}
	const most = 6
	lines := strings.Split(strings.TrimSpace(r.Output), "\n")
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("… %d more lines", more))
	}
	return fmt.Errorf("%w\n\t%s", r.Err, strings.Join(lines, "\n\t"))
}
