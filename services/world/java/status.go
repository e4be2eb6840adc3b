package java

import (
	"encoding/json"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// status tells a client's list of servers what this is, and answers its ping.
func (v *visit) status() error {
	for range 2 {
		number, r, err := v.wire.Read()
		if err != nil {
			return err
		}
		var answer *wire.Packet
		switch number {
		case 0:
			answer = wire.NewPacket(0).String(v.server.summary())
		case 1:
			answer = wire.NewPacket(1).Long(r.Long())
		default:
			return fmt.Errorf("packet %d in status", number)
		}
		if err := r.End(); err != nil {
			return err
		}
		if err := v.wire.Write(answer); err != nil {
			return err
		}
	}
	return errOver
}

func (s *Server) summary() string {
	type object = map[string]any
	text, _ := json.Marshal(object{ // of texts and numbers
		"version":     object{"name": s.table.Version, "protocol": s.table.Protocol},
		"players":     object{"max": s.config.Players, "online": len(s.all())},
		"description": object{"text": s.config.Title},
	})
	return string(text)
}
