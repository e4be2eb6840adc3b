package edge_test

import (
	"io/fs"
	"strings"
	"testing/fstest"
)

// annotated is a catalog's schemas with a member added to the file of one tool.
type annotated struct {
	fs.FS
	tool, member string
}

// Open implements fs.FS.
func (a annotated) Open(name string) (fs.File, error) {
	if name != "schemas/"+a.tool+".json" {
		return a.FS.Open(name)
	}
	data, err := fs.ReadFile(a.FS, name)
	if err != nil {
		return nil, err
	}
	text := strings.Replace(string(data), "{", "{"+a.member, 1)
	return fstest.MapFS{name: {Data: []byte(text)}}.Open(name)
}
