//go:build unix && !linux

package embedded

import "syscall"

// inNamespace is for Linux; namespaces says so.
func inNamespace() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

func namespaces() bool { return false }
