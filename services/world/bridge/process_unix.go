//go:build unix

package bridge

import (
	"os/exec"
	"syscall"
)

// own gives a process a group of its own, with all that it starts.
func own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	follow(c.SysProcAttr)
}

// end ends the agent and all that it started.
func (a *agent) end() { _ = syscall.Kill(-a.process.Process.Pid, syscall.SIGKILL) }
