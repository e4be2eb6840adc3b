package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Plain is what an error says, with the own names of files in the place of whole
// paths: what may be told to somebody who need not know where a world is.
func Plain(err error) string {
	text := err.Error()
	for _, path := range paths(err) {
		if name := filepath.Base(path); path != "" && name != path {
			text = strings.ReplaceAll(text, path, name)
		}
	}
	return text
}

// paths are those that the system names in an error, and in all within it.
func paths(err error) []string {
	var found []string
	switch e := err.(type) { // of this very error; those within follow
	case *fs.PathError:
		found = append(found, e.Path)
	case *os.LinkError:
		found = append(found, e.Old, e.New)
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		for _, within := range e.Unwrap() {
			found = append(found, paths(within)...)
		}
	default:
		if within := errors.Unwrap(err); within != nil {
			found = append(found, paths(within)...)
		}
	}
	return found
}
