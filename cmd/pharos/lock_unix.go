//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder waits until no other process has the lock of this name in a
// folder. It falls back to the others when this process ends, too.
func lockFolder(folder, name string) (unlock func(), err error) {
	return lock(folder, name, syscall.LOCK_EX)
}

// holdFolder is lockFolder without waiting.
func holdFolder(folder, name string) (unlock func(), err error) {
	unlock, err = lock(folder, name, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errors.New("another process has them")
	}
	return unlock, err
}

func lock(folder, name string, how int) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(folder, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
