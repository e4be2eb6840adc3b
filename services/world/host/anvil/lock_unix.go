//go:build unix

package anvil

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// sign is what the game writes to session.lock.
const sign = "☃"

// mine are the worlds of this process. The system's lock does not tell two
// owners in one process apart, and is gone when either closes the file.
var mine struct {
	sync.Mutex
	folders []fs.FileInfo
}

// lock holds session.lock in a folder until unlock is called.
func lock(folder string) (unlock func(), err error) {
	mine.Lock()
	defer mine.Unlock()
	about, err := os.Stat(folder)
	if err != nil {
		return nil, err
	}
	for _, other := range mine.folders {
		if os.SameFile(other, about) {
			return nil, fmt.Errorf("the world in %s is open already in this process", folder)
		}
	}
	const flags = os.O_RDWR | os.O_CREATE | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	file, err := os.OpenFile(filepath.Join(folder, "session.lock"), flags, filePerm)
	if err != nil {
		return nil, err
	}
	if err := hold(file); err != nil {
		return nil, errors.Join(fmt.Errorf("the world in %s: %w", folder, err), file.Close())
	}
	mine.folders = append(mine.folders, about)
	return func() {
		mine.Lock()
		defer mine.Unlock()
		for i, other := range mine.folders {
			if other == about {
				mine.folders = append(mine.folders[:i:i], mine.folders[i+1:]...)
				file.Close() // which ends the lock
				return
			}
		}
	}, nil
}

// hold locks the whole file for writing, as the game's own lock does, and then
// puts the sign into it, unless it is there.
func hold(file *os.File) error {
	whole := func() *syscall.Flock_t { return &syscall.Flock_t{Type: syscall.F_WRLCK} }
	err := syscall.FcntlFlock(file.Fd(), syscall.F_SETLK, whole())
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		holder := whole()
		if syscall.FcntlFlock(file.Fd(), syscall.F_GETLK, holder) == nil && holder.Type != syscall.F_UNLCK {
			return fmt.Errorf("process %d has it open (a server, or another pharos); stop that first", holder.Pid)
		}
		return errors.New("another program has it open (a server, or another pharos); stop that first")
	}
	if err != nil {
		return fmt.Errorf("session.lock: %w", err)
	}
	var there [len(sign) + 1]byte
	if n, err := file.ReadAt(there[:], 0); err == io.EOF && string(there[:n]) == sign {
		return nil
	}
	if _, err := file.WriteAt([]byte(sign), 0); err != nil {
		return err
	}
	return errors.Join(file.Truncate(int64(len(sign))), file.Sync())
}
