package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGoal(t *testing.T) {
	t.Parallel()
	for want, g := range map[string]goal{
		"goal time 2.5x 3x ok":              {name: "time", measured: 2.5, bound: 3, unit: "x"},
		"goal lines 20 20 ok":               {name: "lines", measured: 20, bound: 20},
		"goal memory 2049MiB 2048MiB short": {name: "memory", measured: 2049, bound: 2048, unit: "MiB"},
		"goal memory 914.1MiB 2048MiB ok":   {name: "memory", measured: 914.1234, bound: 2048, unit: "MiB"},
		"goal rate 0.6x 0.6x ok":            {name: "rate", measured: 0.6, bound: 0.6, unit: "x", least: true},
		"goal rate 0.59x 0.6x short":        {name: "rate", measured: 0.59, bound: 0.6, unit: "x", least: true},
	} {
		if got := g.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSeries(t *testing.T) {
	t.Parallel()
	s := series{
		{CPU: 9 * time.Second, Peak: 3 << 20}, {CPU: time.Second, Peak: 5 << 20}, {CPU: 2 * time.Second, Peak: 4 << 20},
	}
	if got := [2]float64{s.cpu(), s.peak()}; got != [2]float64{2, 5} {
		t.Errorf("median and peak are %v, want [2 5]", got)
	}
}

// TestRefer gives the reference a document whose inline enum has the Go name
// of a component, and whose types admit null where they are merged.
func TestRefer(t *testing.T) {
	t.Parallel()
	const document = `{
  "openapi": "3.1.0", "info": {"title": "t", "version": "1"},
  "paths": {"/x": {"get": {"operationId": "getX", "responses": {"200": {"description": "ok",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}}}}},
  "components": {"schemas": {
    "Thing": {"type": "object", "properties": {"kind": {"type": "string", "enum": ["a", "b"]}}},
    "Base": {"type": ["object", "null"], "properties": {"id": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
    "Both": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object"}]},
    "ThingKind": {"type": "object", "properties": {"name": {"type": "string"}}}}}}`
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := refer(file); err != nil {
		t.Error(err)
	}
}

func TestLinesEach(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"catalog.go": "1\n2\n3\n", "inputs.go": "1\n2\n", "dispatch.go": "1\n", "other.go": "1\n",
		"schemas/a.json": "{}", "schemas/b.json": "{}",
	} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := linesEach(dir)
	if diff := cmp.Diff(3.0, got); diff != "" || err != nil {
		t.Errorf("lines for an operation (-want +got):\n%s%v", diff, err)
	}
}
