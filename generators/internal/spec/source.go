package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFile bounds one file in bytes.
const maxFile = 64 << 20

// ErrMissing marks a file that does not exist.
var ErrMissing = errors.New("no such file")

// ErrOutside marks a reference that leaves the root. Whether there is a file is
// not asked: it counts as missing.
var ErrOutside = fmt.Errorf("outside of the module, %w", ErrMissing)

// Source reads the files of one document below one root. It never uses the
// network: a URL is read from the local file that references gives for it.
type Source struct {
	fsys       fs.FS
	references map[string]string
	files      map[string]parsed
	texts      map[string]string
}

type parsed struct {
	node *Node
	err  error
}

// NewSource returns a Source over fsys. References maps the URLs that a $ref
// may name to files below the root.
func NewSource(fsys fs.FS, references map[string]string) *Source {
	return &Source{fsys: fsys, references: references, files: map[string]parsed{}, texts: map[string]string{}}
}

// File parses a file, once. The error is Problems, or wraps ErrMissing where
// there is no such file.
func (s *Source) File(name string) (*Node, error) {
	if p, ok := s.files[name]; ok {
		return p.node, p.err
	}
	n, err := s.read(name)
	s.files[name] = parsed{n, err}
	return n, err
}

func (s *Source) read(name string) (*Node, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%q: %w", clip(name), ErrMissing)
	}
	if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return nil, unreadable(name, "its name has characters that cannot be seen")
	}
	info, err := fs.Stat(s.fsys, name)
	var fault *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: %w", name, ErrMissing)
	case errors.As(err, &fault): // a link that leads out of the root or into itself, a folder that may not be read
		return nil, unreadable(name, fault.Err.Error())
	case err != nil:
		return nil, unreadable(name, err.Error())
	case !info.Mode().IsRegular():
		return nil, unreadable(name, "it is no regular file")
	}
	if info.Size() > maxFile {
		return nil, Problems{{
			Pos: Pos{File: name}, Rule: "bound", Message: fmt.Sprintf("the file is larger than %d bytes", maxFile),
		}}
	}
	data, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return nil, unreadable(name, err.Error())
	}
	return Parse(name, data)
}

func unreadable(name, why string) Problems {
	return Problems{{
		Pos: Pos{File: name}, Rule: "missing-file", Message: "the file cannot be read: " + why,
		Hint: "put a copy of it into the module",
	}}
}

// Text returns the text of a file that a reference names, if it is there and is
// neither JSON nor YAML by its name: descriptions may be kept apart that way.
func (s *Source) Text(base, ref string) (string, bool) {
	name, fragment, err := s.Locate(base, ref)
	if err != nil || fragment != "" {
		return "", false
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".yaml", ".yml":
		return "", false
	}
	if t, ok := s.texts[name]; ok {
		return t, true
	}
	info, err := fs.Stat(s.fsys, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", false
	}
	data, err := fs.ReadFile(s.fsys, name)
	if err != nil || !utf8.Valid(data) {
		return "", false
	}
	s.texts[name] = string(data)
	return string(data), true
}

// Files lists the files that were found and read so far, sorted.
func (s *Source) Files() []string {
	var names []string
	for name, p := range s.files {
		if !errors.Is(p.err, ErrMissing) {
			names = append(names, name)
		}
	}
	names = slices.AppendSeq(names, maps.Keys(s.texts))
	slices.Sort(names)
	return names
}

// RemoteError says that a reference names a URL that nobody allowed.
type RemoteError struct{ URL string }

func (e *RemoteError) Error() string { return e.URL + " is not among the references" }

// Locate finds the file that a reference in the file base names, and gives the
// fragment behind #, still encoded. The error is a *RemoteError for a URL, else
// it wraps ErrMissing.
func (s *Source) Locate(base, ref string) (file, fragment string, err error) {
	target, fragment, _ := strings.Cut(ref, "#")
	if target == "" {
		return base, fragment, nil
	}
	if local, ok := s.references[target]; ok {
		return path.Clean(local), fragment, nil
	}
	if isURL(target) {
		return "", "", &RemoteError{URL: target}
	}
	target = strings.ReplaceAll(target, `\`, "/")
	if name := join(base, target); s.Has(name) {
		return name, fragment, nil
	}
	target, _, _ = strings.Cut(target, "?")
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	name := join(base, target)
	if !fs.ValidPath(name) {
		return "", "", fmt.Errorf("%s: %w", name, ErrOutside)
	}
	return name, fragment, nil
}

// join resolves a relative reference; one that starts with a slash counts from
// the root.
func join(base, target string) string {
	if rest, ok := strings.CutPrefix(target, "/"); ok {
		return path.Clean(rest)
	}
	return path.Join(path.Dir(base), target)
}

// Has reports whether there is a file of that name.
func (s *Source) Has(name string) bool {
	if p, ok := s.files[name]; ok {
		return !errors.Is(p.err, ErrMissing)
	}
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(s.fsys, name)
	return err == nil && !info.IsDir()
}

// isURL reports whether a reference leaves the file system: it has a scheme, or
// an authority without one. One letter before the colon is a drive, not a scheme.
func isURL(s string) bool {
	if strings.HasPrefix(s, "//") {
		return true
	}
	scheme, _, ok := strings.Cut(s, ":")
	if !ok || len(scheme) < 2 {
		return false
	}
	for i, c := range []byte(strings.ToLower(scheme)) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(c))) {
			return false
		}
	}
	return true
}
