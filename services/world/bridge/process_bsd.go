//go:build unix && !linux

package bridge

import "syscall"

// follow leaves it to a process to end when its input does.
func follow(*syscall.SysProcAttr) {}
