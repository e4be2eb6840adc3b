package world_test

import (
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/host"
)

// holder stops the first edit of an operation while it is told of.
type holder struct {
	once       sync.Once
	held, hold chan struct{}
}

func (h *holder) OnBlocks(all []host.Change) {
	if all[0].Cause.Kind == host.ByOperation {
		h.once.Do(func() { close(h.held); <-h.hold })
	}
}
func (*holder) OnChat(host.Player, string) {}
func (*holder) OnJoin(host.Player)         {}
func (*holder) OnQuit(host.Player)         {}

// holdEdit has the first edit of an operation close held and wait for hold.
func (s *site) holdEdit(t *testing.T, held, hold chan struct{}) (release func()) {
	t.Helper()
	return s.host.Observe(&holder{held: held, hold: hold})
}
