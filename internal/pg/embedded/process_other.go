//go:build unix && !linux

package embedded

import "syscall"

// certain says that isServer is not.
const certain = false

// isServer tells whether a process may be the server of this folder.
func (c Cluster) isServer(pid int) bool { return syscall.Kill(pid, 0) == nil }

// workers is for Linux; elsewhere the server's connections end by themselves.
func (c Cluster) workers() []int { return nil }
