package bridge

import "syscall"

// follow has a process die with the bridge, however that dies.
func follow(p *syscall.SysProcAttr) { p.Pdeathsig = syscall.SIGKILL }
