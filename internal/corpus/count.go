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

// counts is what a project's manifest and generated files say.
type counts struct {
	operations  int
	decided     int      // tools by the manifest
	typed       int      // request bodies with a Go type of their own
	raw         int      // bodies that could have one, but the manifest says raw
	free        int      // bodies whose schema is free-form, or that are no data: text, files
	lines       int      // of catalog, inputs and dispatch
	unsupported []string // operations that no tool can carry, with the reason
}

// decision is what counts here of an operation's entry in the manifest.
type decision struct {
	Tool    string `json:"tool"`
	Exclude string `json:"exclude"`
	Body    string `json:"body"`
}

// count reads a generated project.
func count(dir string) (counts, error) {
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return counts{}, err
	}
	var manifest struct {
		Catalogs map[string]struct {
			Operations map[string]map[string]decision `json:"operations"`
		} `json:"catalogs"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return counts{}, fmt.Errorf("manifest.json: %w", err)
	}
	var c counts
	for name, catalog := range manifest.Catalogs {
		for _, operations := range catalog.Operations {
			for key, d := range operations {
				c.decide(key, d)
			}
		}
		if err := c.read(filepath.Join(dir, "generated", name)); err != nil {
			return counts{}, err
		}
	}
	slices.Sort(c.unsupported)
	return c, nil
}

// decide counts one decision.
func (c *counts) decide(key string, d decision) {
	c.operations++
	switch {
	case d.Tool != "":
		c.decided++
		if d.Body == "raw" {
			c.raw++
		}
	case strings.HasPrefix(d.Exclude, "unsupported"):
		c.unsupported = append(c.unsupported, key+": "+d.Exclude)
	}
}

var bodyType = regexp.MustCompile(`\btool\.Body\[([^\n]+)\]`)

// read counts lines and bodies of one catalog's package. A body without a type
// of its own is json.RawMessage there.
func (c *counts) read(dir string) error {
	for _, name := range []string{"catalog.go", "inputs.go", "dispatch.go"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		c.lines += bytes.Count(data, []byte("\n"))
		for _, m := range bodyType.FindAllSubmatch(data, -1) {
			if erased(string(m[1])) {
				c.free++
				continue
			}
			c.typed++
		}
	}
	c.free -= c.raw // raw bodies are erased too, but for another reason
	return nil
}

// erased reports whether a Go type says nothing about the body.
func erased(goType string) bool {
	return slices.Contains([]string{"json.RawMessage", "any", "map[string]any", "interface{}"}, goType)
}
