package drain

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// noSYN drops the segments that ask for a connection and keeps all others: a
// client whose request was taken already believes that it is connected, so what
// it sends next must arrive. The kernel runs it on segments from their TCP
// header on.
var noSYN = [...]unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},            // the flags
	{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: 0x02, Jf: 1}, // SYN
	{Code: unix.BPF_RET | unix.BPF_K},                                 // drop
	{Code: unix.BPF_RET | unix.BPF_K, K: 0xffff},                      // keep
}

// bar makes the kernel take no more connections for the listener, so that those
// waiting to be accepted become no more. Who asks for one meanwhile asks again
// by itself and finds the listener closed.
func bar(l net.Listener) {
	control(l, func(fd int) {
		// Where the kernel refuses, a few microseconds of the race are left.
		_ = unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(noSYN)), Filter: &noSYN[0]})
	})
}

// waiting reports whether a connection is waiting to be accepted.
func waiting(l net.Listener) (found bool) {
	control(l, func(fd int) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, 0)
		found = err == nil && n > 0
	})
	return found
}

func control(l net.Listener, f func(fd int)) {
	c, ok := l.(syscall.Conn)
	if !ok {
		return
	}
	if raw, err := c.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { f(int(fd)) })
	}
}
