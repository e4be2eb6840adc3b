package drain

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// bar makes the kernel drop whatever arrives for the listener from now on, so
// that the connections waiting to be accepted become no more. Who connects
// meanwhile tries again by itself and finds the listener closed.
func bar(l net.Listener) {
	drop := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K} // accept zero bytes
	control(l, func(fd int) {
		// Where the kernel refuses, a few microseconds of the race are left.
		_ = unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: 1, Filter: &drop})
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
