//go:build !unix

package bridge

import "os/exec"

func own(*exec.Cmd) {}

// kill ends the agent. What it started may live on.
func (a *agent) kill() { _ = a.process.Process.Kill() }
