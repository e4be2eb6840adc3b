package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// counts is what a project's manifest and generated files say.
type counts struct {
	operations  int
	decided     int      // tools by the manifest
	typed       int      // request bodies with a Go type that says something
	raw         int      // those that could have one and do not
	free        int      // those whose schema is free-form, so that there is no type to have
	lines       int      // of catalog, inputs and dispatch
	unsupported []string // operations that no tool can carry, with the reason
}

// decision is what counts here of an operation's entry in the manifest.
type decision struct {
	Tool    string `json:"tool"`
	Exclude string `json:"exclude"`
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
	case strings.HasPrefix(d.Exclude, "unsupported"):
		c.unsupported = append(c.unsupported, key+": "+d.Exclude)
	}
}

// read counts lines and bodies of one catalog's package.
func (c *counts) read(dir string) error {
	for _, name := range []string{"catalog.go", "inputs.go", "dispatch.go"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		c.lines += bytes.Count(data, []byte("\n"))
	}
	goTypes, err := bodyTypes(dir)
	if err != nil {
		return err
	}
	tools, err := readTools(dir)
	if err != nil {
		return err
	}
	for _, t := range tools {
		body, ok := t.Input.Properties["body"]
		if !ok {
			continue
		}
		goType, ok := goTypes[goName(t.Name)]
		switch {
		case !ok:
			return fmt.Errorf("%s takes a body, but its input has none", t.Name)
		case freeForm(body, t.Input.Defs, 0):
			c.free++
		case erased(goType):
			c.raw++
		default:
			c.typed++
		}
	}
	return nil
}

// goName is what generated code calls a tool.
func goName(tool string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(tool, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}
