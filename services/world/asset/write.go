package asset

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
)

// add writes a new file. After an error there is none, but where the disk failed
// once the file had its name and then would not take it back.
func (f *Folder) add(id string, data []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.free(id); err != nil {
		return err
	}
	name := f.file(id)
	file, err := disk.CreateTemporary(f.files, name, 0o600)
	if err == nil {
		err = disk.Fill(file, bytes.NewReader(data))
	}
	if err == nil {
		crashpoint.At(crashpoint.ExportWritten)
		err = disk.RenameNew(f.files, disk.Temporary(name), name)
	}
	if err != nil {
		_ = f.files.Remove(disk.Temporary(name)) // or the next Open does
		if errors.Is(err, fs.ErrExist) {
			return taken(id)
		}
		return unwritten(err)
	}
	crashpoint.At(crashpoint.ExportRenamed)
	if err := f.files.SyncDir(f.name); err != nil {
		return unwritten(errors.Join(err, f.files.Remove(name)))
	}
	return nil
}

// free refuses an id that some file has, in whatever letter case: on many file
// systems those are the same file.
func (f *Folder) free(id string) error {
	entries, err := f.files.ReadDir(f.name)
	if err != nil {
		return unlisted(err)
	}
	count := 0
	for _, e := range entries {
		if strings.EqualFold(e.Name(), id+suffix) {
			return taken(strings.TrimSuffix(e.Name(), suffix))
		}
		if idOf(e.Name()) != "" {
			count++
		}
	}
	if count >= MaxFiles {
		return fault.Newf(TooMany, "there are %d schematics, the most that there may be: take one out of the folder first", count)
	}
	return nil
}

func taken(id string) error {
	return fault.Newf(Exists, "there is a schematic %s already, and none is ever overwritten: choose another name", id)
}

// unwritten is a disk that does not take the file.
func unwritten(err error) error {
	return fault.Newf(fault.Unavailable, "the schematic cannot be written: %v", reason(err))
}
