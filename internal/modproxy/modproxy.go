// Package modproxy lays a checkout out as a Go module proxy in a folder, so
// that another module can require it, as strangers do, without a network and
// without a replace directive.
//
// The version is a pseudo-version of the content: the same files give the same
// version, others another one, and the module cache never answers with what
// was there before.
package modproxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// when is the time that every pseudo-version carries; the content is told
// apart by its hash alone.
const when = "20260101000000"

// write puts the module whose root is given into dir, in the layout of the
// GOPROXY protocol, and returns its path and version. Files that git ignores
// are left out.
func write(dir, root string) (module.Version, error) {
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return module.Version{}, err
	}
	files, err := list(root)
	if err != nil {
		return module.Version{}, err
	}
	sum, err := hash(files)
	if err != nil {
		return module.Version{}, err
	}
	m := module.Version{Path: modfile.ModulePath(gomod), Version: "v0.0.0-" + when + "-" + sum}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return module.Version{}, fmt.Errorf("go.mod: %w", err)
	}
	var archive bytes.Buffer
	if err := zip.Create(&archive, m, files); err != nil {
		return module.Version{}, err
	}
	info, err := json.Marshal(map[string]string{"Version": m.Version, "Time": "2026-01-01T00:00:00Z"})
	if err != nil {
		return module.Version{}, err
	}
	at := filepath.Join(dir, filepath.FromSlash(escaped))
	if err := os.MkdirAll(filepath.Join(at, "@v"), 0o755); err != nil {
		return module.Version{}, err
	}
	for name, data := range map[string][]byte{
		"@latest":                   info,
		"@v/list":                   []byte(m.Version + "\n"),
		"@v/" + m.Version + ".info": info,
		"@v/" + m.Version + ".mod":  gomod,
		"@v/" + m.Version + ".zip":  archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(at, filepath.FromSlash(name)), data, 0o644); err != nil {
			return module.Version{}, err
		}
	}
	return m, nil
}

// file is one file of the checkout, as package zip wants it.
type file struct{ root, name string }

func (f file) Path() string                 { return f.name }
func (f file) at() string                   { return filepath.Join(f.root, filepath.FromSlash(f.name)) }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.at()) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.at()) }

// list returns the regular files of a checkout, by name: those that git knows
// and those that it would add.
func list(root string) ([]zip.File, error) {
	git := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	git.Dir = root
	out, err := git.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files in %s: %w", root, err)
	}
	names := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	slices.Sort(names)
	var files []zip.File
	for _, name := range slices.Compact(names) {
		f := file{root: root, name: name}
		if info, err := f.Lstat(); err == nil && info.Mode().IsRegular() {
			files = append(files, f)
		}
	}
	return files, nil
}

// hash digests names and contents to the twelve digits of a pseudo-version.
func hash(files []zip.File) (string, error) {
	h := sha256.New()
	for _, f := range files {
		r, err := f.Open()
		if err != nil {
			return "", err
		}
		data, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %d\n", f.Path(), len(data))
		h.Write(data)
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:12], nil
}
