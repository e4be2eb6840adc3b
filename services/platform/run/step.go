package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
)

// step is an executed step.
type step struct {
	Attempt    int64
	Number     int64
	Name       string
	Kind       pipeline.Kind
	Failed     bool
	Output     string
	StartedAt  time.Time
	FinishedAt time.Time
}

// looks is how many rounds a hash step makes between two looks at its context.
const looks = 1 << 12

// clock is the time, and a way to let some pass.
type clock struct {
	now   func() time.Time
	after func(time.Duration) <-chan time.Time
}

// time is the time as exact as the database keeps it.
func (c clock) time() time.Time { return pg.Time(c.now()) }

// execute executes one resolved step. Its error is that of a context that ended
// meanwhile: then the step has no output.
func execute(ctx context.Context, c clock, s pipeline.Step) (output string, failed bool, err error) {
	switch s.Kind {
	case pipeline.Echo:
		return s.Text, false, context.Cause(ctx)
	case pipeline.Hash:
		digest := sha256.Sum256([]byte(s.Text))
		for round := int64(1); round < s.Rounds; round++ {
			if round%looks == 0 && ctx.Err() != nil {
				return "", false, context.Cause(ctx)
			}
			digest = sha256.Sum256(digest[:])
		}
		return hex.EncodeToString(digest[:]), false, context.Cause(ctx)
	case pipeline.Wait:
		select {
		case <-ctx.Done():
			return "", false, context.Cause(ctx)
		case <-c.after(time.Duration(s.Milliseconds) * time.Millisecond):
			return fmt.Sprintf("waited %d ms", s.Milliseconds), false, nil
		}
	case pipeline.Fail:
		return s.Message, true, context.Cause(ctx)
	default:
		return fmt.Sprintf("there is no kind %q of steps", s.Kind), true, nil
	}
}
