// Package ballast lets the garbage of a server gather before it is collected.
//
// Go collects when as much garbage has come as memory is alive. A server of
// few tools has little alive: it would collect some hundred times a second
// under load, and each time take the processors from the calls under way.
package ballast

import (
	"os"
	"sync"
)

// size is how much more garbage may gather, and so how much more memory a busy
// server has: in bytes.
const size = 32 << 20

var (
	once  sync.Once
	bytes []byte // of use by being alive; never touched, so no memory stands behind it
)

// Load makes the whole process collect less often, for good. Where the
// environment says when to collect, with GOGC or GOMEMLIMIT, that stays as it
// is. It is for programs, not for libraries; again it does nothing.
func Load() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		once.Do(func() { bytes = make([]byte, size) })
	}
}
