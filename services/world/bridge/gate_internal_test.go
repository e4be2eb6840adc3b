package bridge

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
)

// opened is a gate that can be read.
func opened(from io.Reader) *gate {
	g := newGate(from, make(chan struct{}), slog.New(slog.DiscardHandler))
	close(g.open)
	return g
}

// repeated is a text many times.
func repeated(text string, times int) io.Reader {
	all := make([]io.Reader, times)
	for i := range all {
		all[i] = strings.NewReader(text)
	}
	return io.MultiReader(all...)
}

// update is a message of so many bytes.
func update(size int) string {
	const head, tail = `{"method":"session/update","params":"`, "\"}\n"
	return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
}

// TestGate lets messages that mean something through, whole and unchanged, up to
// its bounds.
func TestGate(t *testing.T) {
	t.Parallel()
	id := func(n int) string { return fmt.Sprintf(`{"id":"%s","method":"m"}`+"\n", strings.Repeat("i", n-2)) }
	for name, c := range map[string]struct {
		line    string
		through bool
	}{
		"an answer":                        {`{"id":1,"result":{}}` + "\n", true},
		"an answer without an end":         {`{"id":1,"result":{}}`, true},
		"a request":                        {`{"id":1,"method":"anything"}` + "\n", true},
		"an update":                        {update(100), true},
		"an update as long as may be":      {update(longest), true},
		"an update that is too long":       {update(longest + 1), false},
		"an update of many lengths":        {update(5*longest + 7), false},
		"a request whose id is long":       {id(longID), true},
		"a request whose id is too long":   {id(longID + 1), false},
		"a notification of something else": {`{"method":"$/cancel_request","params":{"requestId":1}}` + "\n", false},
		"an id that is none":               {`{"id":null,"method":"anything"}` + "\n", false},
		"nothing":                          {"\n", false},
		"a number":                         {"17\n", false},
		"words":                            {"Welcome!\n", false},
		"half a message":                   {`{"id":1,`, false},
	} {
		want := ""
		if c.through {
			want = c.line
		}
		g := opened(strings.NewReader("before\n" + c.line))
		got, err := io.ReadAll(g)
		if string(got) != want || err != nil {
			t.Errorf("%s: %d bytes came through, %v, want %d", name, len(got), err, len(want))
		}
	}
}

// TestGateMuch: what is said is counted from one question to the next; what is
// too long to be looked at counts less.
func TestGateMuch(t *testing.T) {
	t.Parallel()
	const line = most / 64
	mega := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		from io.Reader
		much bool
	}{
		"all that may be":        {repeated(update(line), 64), false},
		"one byte more":          {io.MultiReader(repeated(update(line), 64), strings.NewReader("\n")), true},
		"garbage":                {repeated(strings.Repeat("Welcome! \n", 1<<17), most>>20+1), true},
		"pictures":               {repeated(update(12<<20), 20), false},
		"more than one looks at": {repeated(mega, skipped*(most>>20+1)), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := opened(c.from)
			go func() {
				for range g.updates {
				}
			}()
			t.Cleanup(func() { close(g.updates) })
			_, err := io.Copy(io.Discard, g)
			if errors.Is(err, errMuch) != c.much || g.much.Load() != c.much {
				t.Errorf("%v, want an end: %t", err, c.much)
			}
			g.from = bufio.NewReader(strings.NewReader(update(100)))
			g.refill()
			if got, err := io.ReadAll(g); len(got) != 100 || err != nil {
				t.Errorf("with the next question %d bytes came through, %v", len(got), err)
			}
		})
	}
}

// TestGateRoom: no more is let through than is dealt with.
func TestGateRoom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line string
		room func(*gate) chan struct{}
		most int
	}{
		"updates":  {update(100), func(g *gate) chan struct{} { return g.updates }, updates},
		"requests": {`{"id":1,"method":"anything"}` + "\n", func(g *gate) chan struct{} { return g.asks }, asks},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := opened(repeated(c.line, c.most+2))
			n := 0
			go func() {
				scanner := bufio.NewScanner(g)
				for scanner.Scan() {
					n++
				}
			}()
			for _, want := range []int{c.most, c.most + 1, c.most + 2} {
				synctest.Wait()
				if n != want {
					t.Errorf("%s: %d came through, want %d", name, n, want)
				}
				<-c.room(g)
			}
		})
	}
}
