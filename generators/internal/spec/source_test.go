package spec_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		"api/a.yaml": {Data: []byte("a: 1")}, "api/b c.yaml": {}, "api/d%20e.yaml": {}, "top.yaml": {}, "lib/x.yaml": {},
	}
	s := spec.NewSource(fsys, map[string]string{"https://example.com/x.yaml": "lib/x.yaml"})
	tests := []struct{ name, ref, file, fragment string }{
		{"the same file", "#/a", "api/a.yaml", "/a"},
		{"a sibling with a fragment", "z.yaml#/b/c", "api/z.yaml", "/b/c"},
		{"a sibling by ./", "./z.yaml", "api/z.yaml", ""},
		{"a file above", "../top.yaml", "top.yaml", ""},
		{"a way round", "../api/../top.yaml", "top.yaml", ""},
		{"an encoded name", "b%20c.yaml#x", "api/b c.yaml", "x"},
		{"a name that has an escape", "d%20e.yaml", "api/d%20e.yaml", ""},
		{"backslashes", `..\top.yaml#/a`, "top.yaml", "/a"},
		{"a file from the root", "/lib/x.yaml#/a", "lib/x.yaml", "/a"},
		{"a query", "z.yaml?v=1#/a", "api/z.yaml", "/a"},
		{"a URL among the references", "https://example.com/x.yaml#/a", "lib/x.yaml", "/a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file, fragment, err := s.Locate("api/a.yaml", test.ref)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{test.file, test.fragment}, []string{file, fragment}); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func TestLocateRefuses(t *testing.T) {
	t.Parallel()
	s := spec.NewSource(fstest.MapFS{}, nil)
	for _, ref := range []string{
		"https://example.com/a.yaml", "HTTP://example.com/a.yaml#/x", "//example.com/a.yaml", "file:///etc/passwd",
		"urn:example:a",
	} {
		var remote *spec.RemoteError
		if _, _, err := s.Locate("a.yaml", ref); !errors.As(err, &remote) {
			t.Errorf("%s: %v, want a RemoteError", ref, err)
		}
	}
	for _, ref := range []string{"../a.yaml", "../../etc/passwd", "%2e%2e/a.yaml", `..\a.yaml`, "/../a.yaml"} {
		if _, _, err := s.Locate("a.yaml", ref); !errors.Is(err, spec.ErrMissing) {
			t.Errorf("%s: %v, want ErrMissing", ref, err)
		}
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	s := spec.NewSource(fstest.MapFS{
		"a.yaml": {Data: []byte("a: 1")}, "b.yaml": {Data: []byte("a: [")}, "t.md": {Data: []byte("# Text")}, "d/x": {},
	}, nil)
	first, err := s.File("a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := s.File("a.yaml"); again != first {
		t.Error("the file was parsed twice")
	}
	var ps spec.Problems
	if _, err := s.File("b.yaml"); !errors.As(err, &ps) {
		t.Errorf("a broken file: %v, want Problems", err)
	}
	for _, name := range []string{"none.yaml", "d", "/a.yaml", "../a.yaml", ""} {
		if _, err := s.File(name); !errors.Is(err, spec.ErrMissing) {
			t.Errorf("%q: %v, want ErrMissing", name, err)
		}
	}
	if text, ok := s.Text("a.yaml", "t.md"); !ok || text != "# Text" {
		t.Errorf("t.md: %q, %v", text, ok)
	}
	if diff := cmp.Diff([]string{"a.yaml", "b.yaml", "t.md"}, s.Files()); diff != "" {
		t.Errorf("files, want -, got +:\n%s", diff)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"": nil, "/": nil, "/a/b": {"a", "b"}, "/a~1b/c~0d/~01": {"a/b", "c~d", "~1"},
		"/paths/~1x~1%7Bid%7D/get": {"paths", "/x/{id}", "get"}, "definitions/A": {"definitions", "A"}, "/a%zz/": {"a%zz", ""},
	}
	for fragment, want := range tests {
		got, ok := spec.Tokens(fragment)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%q: %v, want -, got +:\n%s", fragment, ok, diff)
		}
	}
	if _, ok := spec.Tokens("name"); ok {
		t.Error("a plain name counts as a pointer")
	}
	if got := spec.Pointer([]string{"a/b", "c~d"}); got != "/a~1b/c~0d" {
		t.Errorf("Pointer gives %s", got)
	}
}
