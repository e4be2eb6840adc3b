package generators

import (
	"errors"
	"io/fs"
)

// blockers finds what stands where a generated file or its folder belongs and
// is neither: a link, a folder in place of a file, a pipe. Through a link the
// files of somebody else would be compared, and left out of the comparison.
type blockers struct {
	root  fs.FS
	seen  map[string]bool // by path: whether it is in the way
	found []change
}

// stand reports whether anything stands in the way of a file, and keeps what
// it is.
func (b *blockers) stand(file string) (bool, error) {
	for i, c := range file + "/" {
		if c != '/' {
			continue
		}
		at := file[:i]
		blocked, known := b.seen[at]
		if !known {
			info, err := fs.Lstat(b.root, at)
			if errors.Is(err, fs.ErrNotExist) {
				return false, nil
			}
			if err != nil {
				return false, err
			}
			blocked = at == file && !info.Mode().IsRegular() || at != file && !info.IsDir()
			b.seen[at] = blocked
			if blocked {
				b.add(at, info.Mode())
			}
		}
		if blocked {
			return true, nil
		}
	}
	return false, nil
}

func (b *blockers) add(name string, mode fs.FileMode) {
	what := "no regular file"
	switch {
	case mode.IsRegular():
		what = "a file in place of a folder"
	case mode.IsDir():
		what = "a folder in place of a file"
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	}
	b.found = append(b.found, change{path: name, kind: "unexpected", foreign: true, irregular: what})
}
