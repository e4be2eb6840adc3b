package main

import (
	"context"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
)

// project is the module that one document becomes.
type project struct {
	document
	dir     string
	mcpgen  string
	library module.Version // this checkout, as the project requires it
	env     []string
}

// server is what the project's program is called in its folder.
const server = "server"

// carry takes the document the whole way.
func (p project) carry(ctx context.Context) result {
	r := result{name: p.name}
	if p.odd != "" {
		r.fault = p.odd
		return r
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return r.broken(err)
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return r.broken(err)
	}
	begin := []string{p.mcpgen, "init", "--project", p.dir, "--pharos", p.library.Version, p.entry}
	if _, err := p.do(ctx, "init", begin...); err != nil {
		if r.refused = p.refusal(ctx, begin); r.refused != "" {
			return r
		}
		return r.broken(err)
	}
	var err error
	if _, err = p.do(ctx, "accept", p.mcpgen, "accept", "--all"); err != nil {
		return r.broken(err)
	}
	if r.generate, err = p.do(ctx, "generate", p.mcpgen, "generate"); err != nil {
		return r.broken(err)
	}
	if r.counts, err = count(p.dir); err != nil {
		return r.broken(err)
	}
	if _, err = p.do(ctx, "mod tidy", "go", "mod", "tidy"); err != nil {
		return r.broken(err)
	}
	if r.build, err = p.do(ctx, "build", "go", "build", "-o", server, "."); err != nil {
		return r.broken(err)
	}
	if _, err = p.do(ctx, "vet", "go", "vet", "./..."); err != nil {
		return r.broken(err)
	}
	if r.tools, err = p.serve(ctx); err != nil {
		return r.broken(err)
	}
	r.verdict()
	return r
}

// broken notes what went wrong and ends the way.
func (r result) broken(err error) result {
	r.fault = err.Error()
	return r
}

// serve starts the program with the project's own configuration, asks for its
// tools and stops it.
func (p project) serve(ctx context.Context) (int, error) {
	running, err := start(ctx, p.dir, filepath.Join(p.dir, server), "-config", "edge.json", "-listen", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer running.stop()
	return list(ctx, running.url)
}
