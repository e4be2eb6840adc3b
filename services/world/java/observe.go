package java

import "github.com/pharos-mcp/pharos/services/world/host"

// OnBlocks implements host.Observer.
func (s *Server) OnBlocks(changes []host.Change) {
	for _, p := range s.all() {
		p.outbox.changed(changes)
	}
}

// OnChat implements host.Observer: all read the same in the same order.
func (s *Server) OnChat(from host.Player, text string) {
	for _, p := range s.all() {
		p.outbox.say("<" + from.Name + "> " + text)
	}
}

// OnJoin implements host.Observer.
func (s *Server) OnJoin(host.Player) {}

// OnQuit implements host.Observer.
func (s *Server) OnQuit(host.Player) {}
