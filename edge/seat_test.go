package edge

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// journal is a reply that notes what is done in what order.
type journal struct {
	http.ResponseWriter
	notes *[]string
}

func (j journal) Write(p []byte) (int, error) {
	*j.notes = append(*j.notes, fmt.Sprintf("write %q", p))
	return j.ResponseWriter.Write(p)
}

func (j journal) Flush() { *j.notes = append(*j.notes, "flush") }

func TestSeatIsFreeBeforeTheReplyEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply func(t *seat)
		want  []string
	}{
		"one write": {func(t *seat) { _, _ = t.Write([]byte("abc")) }, []string{`write "ab"`, "free", `write "c"`}},
		"one byte":  {func(t *seat) { _, _ = t.Write([]byte("a")) }, []string{`write ""`, "free", `write "a"`}},
		"no body":   {func(t *seat) { t.WriteHeader(204) }, []string{"free"}},
		"two writes": {func(t *seat) { _, _ = t.Write([]byte("ab")); _, _ = t.Write([]byte("cd")) },
			[]string{`write "a"`, `write "b"`, `write "c"`, "free", `write "d"`}},
		"an event": {func(t *seat) { _, _ = t.Write([]byte("ab")); _ = t.FlushError() },
			[]string{`write "a"`, `write "b"`, "flush", "free"}},
		"a handler that goes on": {func(t *seat) { t.users.Add(1); _, _ = t.Write([]byte("ab")) },
			[]string{`write "a"`, `write "b"`}},
	} {
		var got []string
		s := &seat{ResponseWriter: journal{httptest.NewRecorder(), &got}, release: func() { got = append(got, "free") }}
		s.users.Store(1)
		c.reply(s)
		s.finish()
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
