package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// document is one OpenAPI document of the corpus.
type document struct {
	name  string
	entry string // path of its file, or of the entry among its files
	odd   string // why it has no entry, "" if it has one
}

// find lists the documents of a folder by name: a file is a document, and so
// is a folder with exactly one entry at its top.
func find(dir, only string) ([]document, error) {
	items, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var documents []document
	for _, item := range items {
		at, err := filepath.Abs(filepath.Join(dir, item.Name()))
		if err != nil {
			return nil, err
		}
		name, odd := item.Name(), ""
		switch {
		case strings.HasPrefix(name, "."):
			continue
		case item.IsDir():
			if at, odd, err = entry(at); err != nil {
				return nil, err
			}
		case !isDocument(name):
			continue
		default:
			name = strings.TrimSuffix(name, filepath.Ext(name))
		}
		if only == "" || only == name {
			documents = append(documents, document{name: name, entry: at, odd: odd})
		}
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("%s holds no documents", dir)
	}
	return documents, nil
}

// isDocument tells the files that a document can be written in.
func isDocument(name string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml"}, filepath.Ext(name))
}

// entry finds the one file at the top of a folder that says which version of
// OpenAPI it is, or says why there is none.
func entry(dir string) (at, odd string, err error) {
	items, err := os.ReadDir(dir)
	if err != nil {
		return "", "", err
	}
	var found []string
	for _, item := range items {
		if item.IsDir() || !isDocument(item.Name()) {
			continue
		}
		at := filepath.Join(dir, item.Name())
		data, err := os.ReadFile(at)
		if err != nil {
			return "", "", err
		}
		if declares(data) {
			found = append(found, at)
		}
	}
	if len(found) != 1 {
		return "", fmt.Sprintf("%d files at its top have a member openapi or swagger, want one", len(found)), nil
	}
	return found[0], "", nil
}

var yamlMember = regexp.MustCompile(`(?m)^["']?(openapi|swagger)["']?[ \t]*:`)

// declares reports whether the top level of a file has a member openapi or
// swagger.
func declares(data []byte) bool {
	var top map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &top) == nil {
		return top["openapi"] != nil || top["swagger"] != nil
	}
	return yamlMember.Match(data)
}
