package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/pharos-mcp/pharos/internal/measure"
	"github.com/pharos-mcp/pharos/internal/modproxy"
)

// project is a module of someone else that mcpgen made for the document that
// is measured.
type project struct {
	work    string // holds everything else
	dir     string
	catalog string
	bundle  string // the normalised document, kept beside the project
	mcpgen  string
	proxy   *modproxy.Proxy
}

// prepare makes the project and decides on everything in it.
func prepare(ctx context.Context, mcpgen, document string) (p *project, err error) {
	p = &project{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.mcpgen, err = filepath.Abs(mcpgen); err != nil {
		return nil, err
	}
	if document, err = filepath.Abs(document); err != nil {
		return nil, err
	}
	if p.work, err = os.MkdirTemp("", "bench-"); err != nil {
		return nil, err
	}
	p.dir = filepath.Join(p.work, "project")
	if err = os.Mkdir(p.dir, 0o755); err != nil {
		return nil, err
	}
	if p.proxy, err = modproxy.Open("."); err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{"init", "--project", p.dir, "--pharos", p.proxy.Module.Version, document}, {"accept", "--all"}, {"generate"},
	} {
		if _, err = p.run(ctx, p.mcpgen, args...); err != nil {
			return nil, err
		}
	}
	bundles, err := filepath.Glob(filepath.Join(p.dir, "generated", "*", "openapi.json"))
	if err != nil {
		return nil, err
	}
	if len(bundles) != 1 {
		return nil, fmt.Errorf("%d normalised documents were generated, want one", len(bundles))
	}
	p.catalog = filepath.Base(filepath.Dir(bundles[0]))
	p.bundle = filepath.Join(p.work, "openapi.json")
	return p, os.Rename(bundles[0], p.bundle)
}

// run runs a program in the project.
func (p *project) run(ctx context.Context, program string, args ...string) (measure.Run, error) {
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Env = p.dir, slices.Concat(os.Environ(), p.proxy.Env)
	r := measure.Command(c)
	if err := r.Fault(); err != nil {
		return r, fmt.Errorf("%s %s: %w", filepath.Base(program), args[0], err)
	}
	return r, nil
}

// close removes what prepare has made so far.
func (p *project) close() {
	if p.proxy != nil {
		_ = p.proxy.Close() // what it may leave is in temporary folders and the module cache
	}
	if p.work != "" {
		_ = os.RemoveAll(p.work)
	}
}
