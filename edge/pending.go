package edge

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pending is a call over stdio that is not answered yet.
type pending struct {
	request *request
	release func() // lets its place go; may be called more than once
	stream  bool   // it has no end of its own
	open    bool   // a stream that has begun, and is not being ended
}

// What streams are called by, and spoken of with.
const (
	methodListen      = "subscriptions/listen"
	notifyListening   = "notifications/subscriptions/acknowledged"
	notifyEndOfStream = "notifications/cancelled"
)

// admit lets a call in, within the bounds of any caller (E-58).
func (p *pipe) admit(call *sdkrpc.Request, q *request) *Refusal {
	p.mu.Lock()
	_, taken := p.pending[call.ID]
	p.mu.Unlock()
	if taken {
		return &Refusal{Status: http.StatusBadRequest, Message: "the id is that of a call under way"}
	}
	c := &pending{request: q, stream: call.Method == methodListen}
	places := p.server.gate.callers
	if c.stream {
		places = p.server.gate.streams
	}
	var err error
	if c.release, err = places.Admit(p.over, p.principal.Subject); err != nil {
		after := http.Header{}
		refusal := p.server.turnAway(p.over, after, err)
		refusal.Message += "; try again after " + after.Get("Retry-After") + " s"
		return refusal
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending[call.ID] = c
	return nil
}

// end waits until every call is answered, for as long as one may take, or a
// stopping server waits. Streams that are open are ended: it returns what tells
// the SDK so, one at a time.
func (p *pipe) end() (sdkrpc.Message, error) {
	if p.ending == nil {
		limit := time.Duration(p.server.config.Timeout) + patience
		if p.over.Err() != nil {
			limit = time.Duration(p.server.config.Shutdown)
		}
		p.ending = time.After(limit)
	}
	for {
		message, left, changed := p.left()
		if message != nil {
			return message, nil
		}
		if left > 0 {
			select {
			case <-changed:
				continue
			case <-p.closed:
			case <-p.ending:
			}
		}
		close(p.finished)
		return nil, io.EOF
	}
}

// left counts the calls that are not answered, or returns what ends a stream
// among them.
func (p *pipe) left() (end sdkrpc.Message, count int, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, c := range p.pending {
		if c.open {
			c.open = false
			params, _ := json.Marshal(map[string]any{"requestId": id.Raw()}) // a string or number always encodes
			return &sdkrpc.Request{Method: notifyEndOfStream, Params: params}, 0, nil
		}
	}
	if p.changed == nil {
		p.changed = make(chan struct{})
	}
	return nil, len(p.pending), p.changed
}

// change wakes the end. The lock is held.
func (p *pipe) change() {
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// release frees the place of a call, before its reply is out: a client that
// sends its next call as soon as it has read a reply must not meet itself.
func (p *pipe) release(id sdkrpc.ID) {
	p.mu.Lock()
	c := p.pending[id]
	p.mu.Unlock()
	if c != nil {
		c.request.status = http.StatusBadRequest // if it has not been told of
		p.server.tellUntold(c.request)
		c.release()
	}
}

// answered notes that a reply is out. The end waits for the last one.
func (p *pipe) answered(id sdkrpc.ID) {
	p.mu.Lock()
	c := p.pending[id]
	delete(p.pending, id)
	p.change()
	p.mu.Unlock()
	if c != nil {
		p.server.settle(c.request)
	}
}

// acknowledged notes that a stream is open, if that is what a message says.
func (p *pipe) acknowledged(message *sdkrpc.Request) {
	if message.Method != notifyListening {
		return
	}
	var params struct {
		Meta map[string]any `json:"_meta"`
	}
	_ = json.Unmarshal(message.Params, &params) // it was encoded just now
	id, _ := sdkrpc.MakeID(params.Meta[mcp.MetaKeySubscriptionID])
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.pending[id]; c != nil && c.stream {
		c.open = true
		p.change()
	}
}
