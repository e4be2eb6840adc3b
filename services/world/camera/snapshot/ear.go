package snapshot

import "github.com/pharos-mcp/pharos/services/world/host"

// ear hears what changes while a snapshot is taken. It is told by one at a time,
// and asked when that is over.
type ear struct{ changes []host.Change }

func (e *ear) OnBlocks(all []host.Change) { e.changes = append(e.changes, all...) }

// OnChat does nothing: it changes no block.
func (*ear) OnChat(host.Player, string) {}

// OnJoin does nothing.
func (*ear) OnJoin(host.Player) {}

// OnQuit does nothing.
func (*ear) OnQuit(host.Player) {}
