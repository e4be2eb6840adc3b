//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder waits until no other process has the lock of this name in a
// folder. It falls back to the others when this process ends, too.
func lockFolder(folder, name string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(folder, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
