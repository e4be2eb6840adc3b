package operation_test

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// quiet is a test that is to fail.
type quiet struct {
	rapid.TB
	failed bool
	said   strings.Builder
}

func (q *quiet) Failed() bool               { return q.failed }
func (q *quiet) Fail()                      { q.failed = true }
func (q *quiet) FailNow()                   { q.failed = true; runtime.Goexit() }
func (q *quiet) Logf(f string, args ...any) { fmt.Fprintf(&q.said, f+"\n", args...) }
func (q *quiet) Log(args ...any)            { fmt.Fprintln(&q.said, args...) }
func (q *quiet) Error(args ...any)          { q.Log(args...); q.Fail() }
func (q *quiet) Errorf(f string, a ...any)  { q.Logf(f, a...); q.Fail() }
func (q *quiet) Fatal(args ...any)          { q.Log(args...); q.FailNow() }
func (q *quiet) Fatalf(f string, a ...any)  { q.Logf(f, a...); q.FailNow() }

// The property must fail where the second look is missing: what happened after
// the intent would be overwritten. It sets rapid's flags and is alone therefore.
//
// clause: W-16
func TestPropertyNoticesTheSecondLook(t *testing.T) {
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.shrinktime": "0s", "rapid.checks": "300"} {
		was := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := flag.Set(name, was); err != nil {
				t.Error(err)
			}
		}()
	}
	pool := pgtest.Database(t, "world")
	q := &quiet{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		y := &tally{steps: map[string]int{}, statuses: map[journal.Status]int{}}
		rapid.Check(q, check(pool, y, func(c *operation.Config) { *c = c.Trusting() }))
	}()
	<-done
	overwritten := slices.ContainsFunc([]string{"which is not the plan", "although the dependency", "although it is not the operation's",
		"is confirmed and was not written"},
		func(wrong string) bool { return strings.Contains(q.said.String(), wrong) })
	if !q.failed || !overwritten {
		t.Errorf("without the second look the property holds: %s", q.said.String())
	}
}
