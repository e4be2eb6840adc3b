//go:build unix

package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// longest is what every system grants for the path of a socket.
const longest = 103

// socketFolder names the folder of the socket of a server, the same to every
// process of one user. It is not below the folder of the data, whose path may
// be too long for one.
func socketFolder(data string) (string, error) {
	place := "/tmp" // and not $TMPDIR, which may be another for each process
	if info, err := os.Stat(place); err != nil || !info.IsDir() {
		place = os.TempDir()
	}
	digest := sha256.Sum256([]byte(data))
	folder := filepath.Join(place, fmt.Sprintf("pharos-%d-%s", os.Geteuid(), hex.EncodeToString(digest[:6])))
	if len(filepath.Join(folder, ".s.PGSQL."+port)) > longest {
		return "", fmt.Errorf("%s is too long a path for a socket", folder)
	}
	return folder, nil
}

// private makes a folder, or takes one that is there if others could neither
// have put it there nor enter it.
func private(folder string, a account) error {
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	mine := ok && (int(stat.Uid) == a.uid || int(stat.Uid) == os.Geteuid())
	if !info.IsDir() || !mine || info.Mode().Perm() != 0o700 {
		return fmt.Errorf("%s is not a folder of this user alone: remove it", folder)
	}
	return nil
}
