//go:build unix

package embedded

import (
	"context"
	"os"
	"slices"
)

// fast are the settings of a server whose data nobody needs when the machine
// crashes.
var fast = []string{
	"fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "shared_buffers=32MB",
	"autovacuum=off", "max_connections=500",
}

// Scratch makes data for a server of the moment, in the system's folder for
// what is temporary. The folder goes when its server ends.
func Scratch(ctx context.Context, settings ...string) (Cluster, error) {
	binaries, err := Find(0)
	if err != nil {
		return Cluster{}, err
	}
	folder, err := os.MkdirTemp("", "pg") // short enough for a socket
	if err != nil {
		return Cluster{}, err
	}
	c := Cluster{Binaries: binaries, Folder: folder, Socket: folder, Settings: slices.Concat(fast, settings), Scratch: true}
	if err := c.Init(ctx); err != nil {
		_ = os.RemoveAll(folder)
		return Cluster{}, err
	}
	return c, nil
}
