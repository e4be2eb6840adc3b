package simulator

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/simulator"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// Config is what the simulator needs.
type Config struct {
	// Folder is where the run logs are. It is made where it is missing.
	Folder string
	// Log gets what fails beside calls; nil logs nothing.
	Log *slog.Logger
	// Changed is told of each run whose log has begun or ended. It must return at
	// once. Nil tells nobody.
	Changed func(run string)
}

// Service is the simulator of a process. It is safe for concurrent use.
type Service struct {
	config Config

	mu       sync.Mutex
	holder   string // the controller that has the lease; "" for nobody
	run      *run   // the holder's; nil in the lobby
	shown    *run   // the last one, for the display
	revision int64  // of what the display shows
}

var _ catalog.Handler = (*Service)(nil)

// New opens the folder of the logs and ends those that a process before this
// one left without an end.
func New(c Config) (*Service, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Changed == nil {
		c.Changed = func(string) {}
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return nil, err
	}
	finalised, err := runlog.Finalise(c.Folder)
	if err != nil {
		return nil, fmt.Errorf("run logs in %s: %w", c.Folder, err)
	}
	if finalised > 0 {
		c.Log.Info("run logs of an earlier process were ended", "count", finalised)
	}
	return &Service{config: c}, nil
}

// The reasons of runs that do not come to their end.
const (
	aborted   = "aborted"
	displaced = "aborted:displaced"
	replaced  = "aborted:replaced"
)

// Begin gives the lease to a controller that has connected, and takes it from
// whoever has it.
func (s *Service) Begin(controller string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.archive(displaced)
	s.holder, s.run = controller, nil
}

// End takes the lease back from a controller that is gone. It does nothing
// where another has it.
func (s *Service) End(controller string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder == controller {
		s.archive(aborted)
		s.holder, s.run = "", nil
	}
}

// Close ends the run of whoever has the lease. The controllers must be gone.
func (s *Service) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.archive(aborted)
	s.holder, s.run = "", nil
}

type controllerKey struct{}

// WithController tells the tools who calls them.
func WithController(ctx context.Context, controller string) context.Context {
	return context.WithValue(ctx, controllerKey{}, controller)
}

// held locks the service for a call of the controller that has the lease. The
// caller must unlock it where there is no error.
func (s *Service) held(ctx context.Context) (unlock func(), err error) {
	controller, _ := ctx.Value(controllerKey{}).(string)
	s.mu.Lock()
	if controller == "" || s.holder != controller {
		s.mu.Unlock()
		return nil, fault.New(fault.Code(engine.ControllerDisplaced),
			"another controller has taken over, and this one's run was archived; connect again to take over yourself")
	}
	return s.mu.Unlock, nil
}

// newRunID makes the id of a run.
func newRunID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // it never fails
	return "run-" + hex.EncodeToString(b[:])
}

// told makes what the engine refuses into what the controller is told.
func told(err error) error {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return fault.New(fault.Code(e.Code), e.Message)
	}
	return err
}
