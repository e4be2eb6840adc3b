//go:build unix

package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// longest is what every system grants for the path of a socket.
const longest = 103

// socketFolder gives the folder of the socket of a server, the same to every
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
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return folder, private(folder)
}
