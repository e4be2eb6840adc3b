package generators

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
)

// write brings the generated folder to the wanted files: everything is written
// beside its place first and renamed when all of it is on the disk, so that a
// failure leaves each file as it was or as it should be. Nothing outside dir
// is touched, whatever links it holds.
func write(dir string, changes []change, files Files) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var staged []string
	discard := func(err error) error {
		for _, name := range staged {
			err = errors.Join(err, root.Remove(name))
		}
		return err
	}
	for i, c := range changes {
		if c.kind == "unexpected" {
			continue
		}
		if err := root.MkdirAll(path.Dir(c.path), 0o755); err != nil {
			return discard(err)
		}
		name := temporary(c.path, i)
		if err := root.WriteFile(name, files[c.path], 0o644); err != nil {
			return discard(err)
		}
		staged = append(staged, name)
	}
	for i, c := range changes {
		if c.kind == "unexpected" {
			continue
		}
		if err := root.Rename(temporary(c.path, i), c.path); err != nil {
			return discard(err)
		}
		staged = staged[1:]
	}
	return remove(root, changes)
}

// stagedPrefix starts the names of files that wait to be renamed.
const stagedPrefix = ".mcpgen-"

// temporary is where a file stands until all are written.
func temporary(name string, i int) string {
	return path.Join(path.Dir(name), stagedPrefix+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i))
}

// remove deletes what is unexpected, and the folders that this empties: last
// the Go files, which tell the next run, if this one is killed, that the folder
// is ours.
func remove(root *os.Root, changes []change) error {
	folders := map[string]bool{}
	for _, c := range slices.Backward(changes) {
		if c.kind != "unexpected" {
			continue
		}
		if err := root.Remove(c.path); err != nil {
			return err
		}
		for folder := path.Dir(c.path); folder != outputFolder && folder != "."; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	var deepest []string
	for folder := range folders {
		deepest = append(deepest, folder)
	}
	slices.Sort(deepest)
	slices.Reverse(deepest) // a folder before the one that holds it
	for _, folder := range deepest {
		entries, err := fs.ReadDir(root.FS(), folder)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			if err := root.Remove(folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFile replaces one file of the module, whole or not at all.
func writeFile(dir, name string, data []byte) error {
	return write(dir, []change{{path: name, kind: "changed"}}, Files{name: data})
}
