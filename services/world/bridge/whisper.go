package bridge

import (
	"strings"
	"sync"
)

// heard is how much of an agent's standard error is kept.
const heard = 1 << 10

// whisper keeps the beginning of what an agent writes to its standard error before
// it is asked anything: why it does not start.
type whisper struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (w *whisper) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p[:min(len(p), heard-len(w.text))]...)
	return len(p), nil
}

// String returns it.
func (w *whisper) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ToValidUTF8(string(w.text), "\uFFFD")
}
