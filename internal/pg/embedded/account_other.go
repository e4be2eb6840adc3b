//go:build unix && !linux

package embedded

import "syscall"

// inNamespace is for Linux; namespaces says so.
func inNamespace() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

func namespaces() bool { return false }

// isServer tells whether a process may be the server of this folder.
func (c Cluster) isServer(pid int) bool { return syscall.Kill(pid, 0) == nil }
