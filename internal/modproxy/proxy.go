package modproxy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
)

// Proxy is a folder that serves one version of one module.
type Proxy struct {
	Module module.Version
	// Env is what the go command needs to use it, on top of the settings it
	// has: the proxy is asked first, then those that were asked before, and the
	// module has no entry in the checksum database.
	Env []string

	dir     string
	modules string // the module cache of the go command
}

// Open lays the module whose root is given out in a folder of its own.
func Open(root string) (*Proxy, error) {
	out, err := exec.Command("go", "env", "GOPROXY", "GONOSUMDB", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	settings := strings.SplitN(string(out), "\n", 4)
	if len(settings) < 4 {
		return nil, fmt.Errorf("go env: unexpected output %q", out)
	}
	dir, err := os.MkdirTemp("", "modproxy-")
	if err != nil {
		return nil, err
	}
	p := &Proxy{dir: dir, modules: settings[2]}
	if p.Module, err = write(dir, root); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	p.Env = []string{
		"GOPROXY=" + join("file://"+filepath.ToSlash(dir), settings[0]),
		"GONOSUMDB=" + join(p.Module.Path, settings[1]),
		"GOWORK=off",
	}
	return p, nil
}

// join puts first before a list that may be empty.
func join(first, list string) string {
	if list == "" {
		return first
	}
	return first + "," + list
}

// Close removes the folder, and the version from the module cache, where the
// go command has put it: nobody else can need it.
func (p *Proxy) Close() error {
	if err := os.RemoveAll(p.dir); err != nil {
		return err
	}
	escaped, err := module.EscapePath(p.Module.Path)
	if err != nil {
		return err
	}
	unpacked := filepath.Join(p.modules, filepath.FromSlash(escaped)+"@"+p.Module.Version)
	// The go command writes its cache without the right to change it.
	err = filepath.WalkDir(unpacked, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o755)
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.RemoveAll(unpacked); err != nil {
		return err
	}
	download := filepath.Join(p.modules, "cache", "download", filepath.FromSlash(escaped), "@v")
	packed, err := filepath.Glob(filepath.Join(download, p.Module.Version+".*"))
	if err != nil {
		return err
	}
	for _, name := range packed {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}
