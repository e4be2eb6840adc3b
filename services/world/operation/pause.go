package operation

import (
	"context"
	"fmt"
)

// Pause stops all writes of a project. Once it has returned, with or without an
// error but for that of ctx, no block changes for the project until Resume: an
// operation stops before its next slice. An error means that the pause may not
// outlive the process.
func (e *Engine) Pause(ctx context.Context, project string) error {
	e.mu.Lock()
	e.pauses++
	e.paused[project] = e.pauses
	e.mu.Unlock()
	e.tell()
	select { // the slice that is being written, if any, is the last
	case e.gate <- struct{}{}:
		<-e.gate
	case <-ctx.Done():
		return ctx.Err()
	}
	e.record.Lock()
	defer e.record.Unlock()
	if err := e.Journal.PauseProject(ctx, project, true); err != nil {
		return fmt.Errorf("writes are stopped, but that is not durable yet: %w", err)
	}
	return nil
}

// Resume lets a project write again. With an error it is still paused, and so it
// is where somebody has called Pause meanwhile.
func (e *Engine) Resume(ctx context.Context, project string) error {
	e.record.Lock()
	defer e.record.Unlock()
	e.mu.Lock()
	pause := e.paused[project]
	e.mu.Unlock()
	if err := e.Journal.PauseProject(ctx, project, false); err != nil {
		return err
	}
	e.mu.Lock()
	if e.paused[project] == pause {
		delete(e.paused, project)
	}
	e.mu.Unlock()
	e.tell()
	return nil
}

// Paused tells whether a project's writes are stopped.
func (e *Engine) Paused(ctx context.Context, project string) (bool, error) {
	if e.isPaused(project) {
		return true, nil
	}
	return e.Journal.ProjectPaused(ctx, project)
}

func (e *Engine) isPaused(project string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, paused := e.paused[project]
	return paused
}
