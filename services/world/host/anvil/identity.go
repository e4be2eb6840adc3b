package anvil

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/disk"
)

// stored is what world.json has.
type stored struct {
	World uuid.UUID `json:"world"`
}

// readIdentity returns the world's UUID, and gives it one where it has none.
func readIdentity(files disk.FS) (uuid.UUID, error) {
	data, err := disk.ReadFile(files, identity, 1<<16)
	if errors.Is(err, fs.ErrNotExist) {
		s := stored{uuid.New()}
		if data, err = json.Marshal(s); err != nil {
			return uuid.Nil, err
		}
		if err := disk.MkdirAll(files, own, folderPerm); err != nil {
			return uuid.Nil, err
		}
		return s.World, disk.Replace(files, identity, append(data, '\n'), filePerm)
	}
	if err != nil {
		return uuid.Nil, err
	}
	var s stored
	if err := json.Unmarshal(data, &s); err != nil || s.World == uuid.Nil {
		return uuid.Nil, fmt.Errorf("%s does not say which world this is; the journal knows it by that UUID: put the file back", identity)
	}
	return s.World, nil
}
