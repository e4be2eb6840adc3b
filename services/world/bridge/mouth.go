package bridge

import (
	"encoding/json"
	"io"
	"time"
)

// deaf is how long an agent may leave unread what it is told.
const deaf = 5 * time.Second

// mouth is what the connection writes to an agent with. One that does not read is
// ended.
type mouth struct {
	to   io.Writer
	end  func()
	gate *gate
}

// Write writes one message.
func (m mouth) Write(message []byte) (int, error) {
	stuck := time.AfterFunc(deaf, m.end)
	defer stuck.Stop()
	var request struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(message, &request) == nil && request.Method == "" {
		defer func() { <-m.gate.asks }() // it is an answer
	}
	return m.to.Write(message)
}
