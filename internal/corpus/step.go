package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/pharos-mcp/pharos/internal/measure"
)

// stepTime bounds one command; the slowest is the build of a large catalog.
const stepTime = 15 * time.Minute

// do runs a command in the project's folder. Its error names the step.
func (p project) do(ctx context.Context, name string, command ...string) (measure.Run, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Env = p.dir, p.env
	r := measure.Command(c)
	if err := r.Fault(); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
