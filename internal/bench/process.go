package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// process is a started role.
type process struct {
	started
	name string
	end  func()
}

// launch starts a role in a process of its own and waits until it serves.
func launch(ctx context.Context, o role) (*process, error) {
	c, faults, err := command(ctx, o)
	if err != nil {
		return nil, err
	}
	stdin, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &process{name: o.Kind, end: func() {
		_ = stdin.Close()
		_, _ = io.Copy(io.Discard, stdout)
		_ = c.Wait() // how it ends is of no interest any more
	}}
	if err := json.NewDecoder(stdout).Decode(&p.started); err != nil {
		p.end()
		return nil, fmt.Errorf("%s did not start: %w\n\t%s", o.Kind, err, strings.TrimSpace(faults.String()))
	}
	return p, nil
}

// begin lets a process make an edge or scan its schemas.
func begin(ctx context.Context, o role) (b beginning, err error) {
	c, faults, err := command(ctx, o)
	if err != nil {
		return b, err
	}
	out, err := c.Output()
	if err != nil {
		return b, fmt.Errorf("%s: %w\n\t%s", o.Kind, err, strings.TrimSpace(faults.String()))
	}
	return b, json.Unmarshal(out, &b)
}

// command is this program with a role.
func command(ctx context.Context, o role) (c *exec.Cmd, faults *bytes.Buffer, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, nil, err
	}
	faults = &bytes.Buffer{}
	c = exec.CommandContext(ctx, self, "-role", string(text))
	c.Stderr = faults
	return c, faults, nil
}
