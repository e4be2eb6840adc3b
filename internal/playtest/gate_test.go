package playtest

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// maxBody is the most bytes of a message.
const maxBody = 307200

// plain hides how long a text is: it is sent in chunks, without Content-Length.
type plain struct{ io.Reader }

// TestBodiesInChunks bounds the bytes of a message whose length nobody says
// beforehand: a turn in as many as there may be is written, one byte more is not
// looked at.
//
// clause: P-31
func TestBodiesInChunks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, nil))
	seat, author := s.seats(t, 1)[0], authorToken(t, s, "gm")
	padded := func(text string, size int) io.Reader {
		return plain{strings.NewReader(text + strings.Repeat("\n", size-len(text)))}
	}
	for _, c := range []struct {
		path, token, text string
		size, want        int
	}{
		{"/play/mcp", s.token, calling("commit_play_turn", seat.turn(1)), maxBody + 1, http.StatusRequestEntityTooLarge},
		{"/play/mcp", s.token, calling("commit_play_turn", seat.turn(1)), maxBody, http.StatusOK},
		{"/mcp", author, initialize, maxBody + 1, http.StatusRequestEntityTooLarge},
		{"/mcp", author, initialize, maxBody, http.StatusOK},
	} {
		got := dispatch(t.Context(), p.url+c.path, c.token, padded(c.text, c.size))
		if got.Status != c.want || strings.Contains(got.Body, `"isError":true`) {
			t.Errorf("%s: %d bytes in chunks: status %d, want %d: %s", c.path, c.size, got.Status, c.want, got.Body)
		}
		// Where the length is said, it decides before anything is read.
		if got := ask(t, p.url+c.path, c.token, c.text+strings.Repeat("\n", c.size-len(c.text))); got.Status != c.want {
			t.Errorf("%s: %d bytes: status %d, want %d: %s", c.path, c.size, got.Status, c.want, got.Body)
		}
	}
	if version, events := sessionOf(t, pgtest.Pool(t, s.database), seat); version != 2 || events != 1 {
		t.Errorf("version %d with %d events, want 2 with 1", version, events)
	}
}

// drip is a text of which a byte comes every so often, without an end.
type drip struct {
	every time.Duration
	first string
}

// Read implements io.Reader.
func (d *drip) Read(b []byte) (int, error) {
	if d.first != "" {
		n := copy(b, d.first)
		d.first = d.first[n:]
		return n, nil
	}
	time.Sleep(d.every)
	b[0] = ' '
	return 1, nil
}

// TestDrippingBodies gives a message its time, however busily it comes: it is
// over when it is, and not when nothing comes any more.
//
// clause: P-32
func TestDrippingBodies(t *testing.T) {
	t.Parallel()
	every, limit, members := 100*time.Millisecond, time.Second, map[string]any{"body_timeout": "1s"}
	if *long {
		every, limit, members = time.Second, 10*time.Second, nil
	}
	s := newStage(t)
	p := serve(t, configure(t, s.database, members))
	author := authorToken(t, s, "gm")
	for path, token := range map[string]string{"/play/mcp": s.token, "/mcp": author} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			got := dispatch(t.Context(), p.url+path, token, &drip{every, initialize})
			if took := time.Since(begun); got.Status != http.StatusRequestTimeout || took < limit || took > limit+5*time.Second {
				t.Errorf("status %d after %v, want 408 after %v: %s", got.Status, took, limit, got.Body)
			}
			if got := ask(t, p.url+path, token, initialize); got.Status != http.StatusOK {
				t.Errorf("afterwards: status %d %s", got.Status, got.Body)
			}
		})
	}
}

// TestText refuses what is no text wherever it stands in a message, in the form
// that JSON has for it, and writes nothing; what is text is written as it came.
//
// clause: P-33
func TestText(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, map[string]any{"admission": unbounded}))
	seat, author := s.seats(t, 1)[0], authorToken(t, s, "gm")
	// The narration, or a name, is replaced by a text as JSON spells it.
	turn := func(old, spelled string) string {
		return strings.Replace(calling("commit_play_turn", seat.turn(1)), old, spelled, 1)
	}
	page := func(spelled string) string {
		page := map[string]any{"id": uuid.NewString(), "title": "Oil", "body": "BODY"}
		return strings.Replace(calling("create_wiki_page", page), "BODY", spelled, 1)
	}
	for name, spelled := range map[string]string{
		"U+0000": `a\u0000b`, "U+0000 as it is": "a\x00b", "a high surrogate": `a\ud800b`, "a low surrogate": `a\udc00b`,
		"a pair the wrong way round": `a\udc00\ud800b`, "two high ones": `a\ud83d\ud83d\ude00`,
		"one before another escape": `a\ud83d\u0041`, "one at the end": `a\ud83d`, "one as bytes": "a\xed\xa0\x80b",
		"a byte that is no text": "a\xffb", "an overlong form": "a\xc0\x80b",
	} {
		for at, body := range map[string]string{
			"a text": turn("The lamp burns.", spelled), "a text in a list": turn("The keeper is grateful.", spelled),
			"a name": turn("narration", spelled), "an identifier": turn(`"id":7`, `"id":"`+spelled+`"`),
			"a method": turn("tools/call", spelled), "a tool": turn("commit_play_turn", spelled),
		} {
			if got := ask(t, p.url+"/play/mcp", s.token, body); got.Status != http.StatusBadRequest {
				t.Errorf("%s as %s: status %d, want 400: %s", name, at, got.Status, got.Body)
			}
		}
		if got := ask(t, p.url+"/mcp", author, page(spelled)); got.Status != http.StatusBadRequest {
			t.Errorf("%s in a page: status %d, want 400: %s", name, got.Status, got.Body)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "half a message": `{"jsonrpc":"2.0","id":7,`, "two messages": initialize + initialize,
		"a name twice": `{"jsonrpc":"2.0","id":7,"id":7,"method":"ping"}`, "no object": `"ping"`,
		"JSON with a comment": "{/**/}", "a number that is none": `{"jsonrpc":"2.0","id":01,"method":"ping"}`,
	} {
		if got := ask(t, p.url+"/play/mcp", s.token, text); got.Status != http.StatusBadRequest {
			t.Errorf("%s: status %d, want 400: %s", name, got.Status, got.Body)
		}
	}
	if version, events := sessionOf(t, pgtest.Pool(t, s.database), seat); version != 1 || events != 0 {
		t.Fatalf("version %d with %d events, want 1 with none", version, events)
	}
	const spelled = `\u0001\u007f\ud83d\ude00\ufffd\\u0000\\ud800 ` + "\u2028żółw\U0010ffff"
	if got := ask(t, p.url+"/play/mcp", s.token, turn("The lamp burns.", spelled)); !got.done() {
		t.Fatalf("what is text: %d %s", got.Status, got.Body)
	}
	var narration string
	err := pgtest.Pool(t, s.database).QueryRow(t.Context(), "SELECT narration FROM play.event").Scan(&narration)
	if want := "\x01\x7f😀\ufffd\\u0000\\ud800 \u2028żółw\U0010ffff"; err != nil || narration != want {
		t.Errorf("%v; written %q, want %q", err, narration, want)
	}
}

// TestShapes bounds how deep a message is and of how much it consists, at both
// sides, for both catalogs and for REST.
//
// clause: P-33
func TestShapes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, map[string]any{"admission": unbounded}))
	nested := func(depth int) string { // the message is 1, params 2, _meta 3
		return `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"example.org/x":` +
			strings.Repeat("[", depth-3) + strings.Repeat("]", depth-3) + `}}}`
	}
	// The object is one, its members and theirs are two each, and a list is one
	// beside what it holds.
	dense := func(tokens int) string {
		const others = 1 + 2 + 2 + 2 + 2 + 2 + 2
		return `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"example.org/x":[` +
			strings.TrimSuffix(strings.Repeat("0,", tokens-others), ",") + `]}}}`
	}
	for path, token := range map[string]string{"/play/mcp": s.token, "/mcp": authorToken(t, s, "gm")} {
		for _, c := range []struct {
			name, text string
			want       int
		}{
			{"32 deep", nested(32), http.StatusOK}, {"33 deep", nested(33), http.StatusBadRequest},
			{"as deep as it is long", nested(100_000), http.StatusBadRequest},
			{"20000 tokens", dense(20_000), http.StatusOK}, {"20001 tokens", dense(20_001), http.StatusBadRequest},
		} {
			if got := ask(t, p.url+path, token, c.text); got.Status != c.want {
				t.Errorf("%s: %s: status %d, want %d: %s", path, c.name, got.Status, c.want, got.Body)
			}
		}
	}
	header := http.Header{"Cookie": {logIn(t, p, "gm", s.passwords["gm"])}, "Content-Type": {"application/json"}}
	for name, c := range map[string]struct{ text, says string }{
		"32 deep":      {`{"x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}`, ""},
		"33 deep":      {`{"x":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`, "nested deeper than 32"},
		"20000 tokens": {`{"x":[` + strings.TrimSuffix(strings.Repeat("0,", 20_000-3), ",") + `]}`, ""},
		"20001 tokens": {`{"x":[` + strings.TrimSuffix(strings.Repeat("0,", 20_001-3), ",") + `]}`, "more than 20000"},
	} {
		got := send(t, http.MethodPost, p.url+"/api/plays/", c.text, header)
		const every = "nested deeper than 32, more than 20000"
		said := ""
		for part := range strings.SplitSeq(every, ", ") {
			if strings.Contains(got.Body, part) {
				said = part
			}
		}
		if got.Status != http.StatusBadRequest || said != c.says {
			t.Errorf("REST: %s: status %d %s; want 400 that says %q", name, got.Status, got.Body, c.says)
		}
	}
}
