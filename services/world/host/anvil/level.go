package anvil

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// Trees of level.dat and of entities have these limits.
var limits = nbt.Limits{Bytes: 64 << 20, Depth: 512, Tags: 1 << 20, Alloc: 256 << 20}

// readLevel returns the DataVersion of level.dat.
func readLevel(files disk.FS) (int32, error) {
	packed, err := disk.ReadFile(files, levelFile, int64(limits.Bytes))
	if err != nil {
		return 0, err
	}
	version, err := dataVersion(packed)
	if err != nil {
		return 0, fmt.Errorf("%s cannot be read: %w", levelFile, err)
	}
	return version, nil
}

func dataVersion(packed []byte) (int32, error) {
	unpacker, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return 0, err
	}
	raw, err := io.ReadAll(io.LimitReader(unpacker, int64(limits.Bytes)+1))
	if err != nil {
		return 0, err
	}
	_, root, err := nbt.Decode(raw, limits)
	if err != nil {
		return 0, err
	}
	data, ok := nbt.Get[*nbt.Compound](root, "Data")
	if !ok {
		return 0, errors.New("it has no Data")
	}
	version, _ := nbt.Get[nbt.Int](data, "DataVersion")
	return int32(version), nil // versions before 1.9 have none
}
