package main

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// playCall is a call of a tool of play, as a client sends it.
func playCall(token, tool string, arguments any) ([]byte, error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	headers := caller{era: withHandshake, token: token}.headers()
	return message(playPath, headers, fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}`, tool, text)), nil
}

var answered = []byte(`{"jsonrpc":"2.0","id":1,"result":`)

// calling calls a tool over and over, over a connection of its own.
func (b *playBench) calling(s *playing, tool string, arguments any, holds string) (func() error, error) {
	request, err := playCall(s.read.token, tool, arguments)
	if err != nil {
		return nil, err
	}
	l, err := b.dial(s, []exchange{{request: request, begins: answered, holds: []byte(holds)}})
	if err != nil {
		return nil, err
	}
	return func() error { return l.call(0) }, nil
}

// dial opens a connection that sends the exchanges.
func (b *playBench) dial(s *playing, set []exchange) (*loader, error) {
	l, err := dial(s.address, [][]exchange{set})
	if err == nil {
		b.ends = append(b.ends, func() { _ = l.c.Close() })
	}
	return l, err
}

// turn is the arguments of commit_play_turn.
type turn struct {
	OperationID     uuid.UUID           `json:"operation_id"`
	ExpectedVersion int64               `json:"expected_version"`
	PlayerAction    string              `json:"player_action"`
	Narration       string              `json:"narration"`
	Memory          string              `json:"memory_markdown"`
	CurrentScene    string              `json:"current_scene"`
	Consequences    []assignment.Effect `json:"consequences"`
}

// committing commits turns to a session, over a connection of its own.
func (b *playBench) committing(s *playing, to session, worker int) (func() error, error) {
	l, err := b.dial(s, []exchange{{begins: answered}})
	if err != nil {
		return nil, err
	}
	turns, memory := turnsOf(worker)
	version := to.Version
	return func() error {
		t := turns[int(version)%variety]
		x := &l.sets[0][0]
		x.request, err = playCall(to.token, "commit_play_turn", turn{
			OperationID: uuid.New(), ExpectedVersion: version, PlayerAction: t.action, Narration: t.narration,
			Memory: memory, CurrentScene: to.CurrentScene, Consequences: offered,
		})
		if err != nil {
			return err
		}
		version++
		x.holds = fmt.Appendf(nil, `\"version\":%d}`, version)
		return l.call(0)
	}, nil
}
