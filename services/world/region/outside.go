package region

import (
	"bytes"
	"errors"
	"io/fs"
	"path"

	"github.com/pharos-mcp/pharos/services/world/disk"
)

// writeOutside writes the files of the chunks that get one. A region that does
// not yet say so does not see them; one that says so already has the same
// compression in them.
func (w *rewriter) writeOutside() error {
	wrote := false
	for _, p := range w.changed {
		if p == nil || !p.out() {
			continue
		}
		wrote = true
		name := path.Join(w.folder, p.external())
		file, err := disk.CreateTemporary(w.layer, name, mode)
		if err != nil {
			return err
		}
		err = disk.Fill(file, bytes.NewReader(p.data))
		if err := w.settle(name, err); err != nil {
			return err
		}
	}
	if !wrote {
		return nil
	}
	return w.layer.SyncDir(w.folder)
}

// settle gives a temporary file its name, unless writing it failed: then it goes.
func (w *rewriter) settle(name string, err error) error {
	if err == nil {
		err = w.layer.Rename(disk.Temporary(name), name)
	}
	if err != nil {
		return errors.Join(err, w.layer.Remove(disk.Temporary(name)))
	}
	return nil
}

// removeOutside takes away the files of the changed chunks that are in the
// region again. What a crash leaves of them does no harm: no region names it,
// and the chunk's next write takes it away.
func (w *rewriter) removeOutside() error {
	for _, p := range w.changed {
		if p == nil || p.out() {
			continue
		}
		err := w.layer.Remove(path.Join(w.folder, p.external()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
