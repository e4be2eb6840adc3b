//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package generators

import (
	"os"
	"syscall"
)

// lock lets one command at a time work on a module: the others wait, so none
// takes away what another has staged, or overwrites a manifest that another has
// just changed. The system ends the lock with the process, however it ends. A
// file system that has no locks goes without.
func lock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX) // see above
	return func() { _ = f.Close() }, nil
}
