//go:build unix

package bridge

import (
	"os/exec"
	"syscall"
)

// own gives a process a group of its own, with all that it starts.
func own(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the agent and all that it started.
func (a *agent) kill() { _ = syscall.Kill(-a.process.Process.Pid, syscall.SIGKILL) }
