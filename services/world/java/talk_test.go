package java_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java"
)

// chat says something, with the signature that a client adds.
func (c *client) chat(text string) {
	c.t.Helper()
	c.send(c.packet("chat_message").String(text).Long(1).Long(2).Bool(false).Int(0).Raw([]byte{0, 0, 0}))
}

func (c *client) command(text string) {
	c.t.Helper()
	c.send(c.packet("chat_command").String(text).Long(1).Long(2).Int(0).Int(0).Raw([]byte{0, 0, 0}))
}

// TestChat: what is said is heard by all, in the same order, up to the bound.
func TestChat(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	a, b := s.join(t, "a"), s.join(t, "b")
	a.text()                            // that b came in
	longest := strings.Repeat("🐢", 128) // 256 as the game counts
	a.chat("hello")
	a.chat(longest)
	for name, c := range map[string]*client{"a": a, "b": b} {
		if got := []string{c.text(), c.text()}; !cmp.Equal(got, []string{"<a> hello", "<a> " + longest}) {
			t.Errorf("%s hears %q", name, got)
		}
	}
	for name, text := range map[string]string{
		"too long": longest + "x", "a line": "a\nb", "nothing visible": "a\x00", "deleted": "\x7f", "a colour": "§4red",
	} {
		for _, say := range []func(*client, string){(*client).chat, (*client).command} {
			c := s.join(t, "c")
			say(c, text)
			if got := c.end(); !strings.Contains(got, "cannot be read") {
				t.Errorf("%s: the client is told %q", name, got)
			}
		}
	}
}

// TestTooFast: the fifth message of a second is not heard.
func TestTooFast(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c := s.join(t, "a")
	var all []byte
	for range 20 {
		frame, err := c.out.Frame(c.packet("chat_message").String("x"))
		must(t, err)
		all = append(all, frame...)
	}
	_, err := c.conn.Write(all)
	must(t, err)
	heard := 0
	for range 20 {
		if c.text() == "<a> x" {
			heard++
		}
	}
	if heard < 4 || heard > 8 {
		t.Errorf("%d of 20 messages at once are heard", heard)
	}
}

// TestCommand: /ai reaches whoever answers with the player and what the player
// looks at, and the answer is for the player alone.
func TestCommand(t *testing.T) {
	t.Parallel()
	type asked struct {
		Name, Words string
		Target      *geom.Pos
	}
	got := make(chan asked, 1)
	s := start(t, small, java.Options{Ask: func(_ context.Context, p host.Player, words string) string {
		got <- asked{p.Name, words, p.Target}
		return "I will " + words
	}})
	a, b := s.join(t, "a"), s.join(t, "b")
	a.text()
	for _, test := range []struct {
		yaw, pitch float32
		want       *geom.Pos
	}{
		{0, 90, &geom.Pos{X: 8, Y: 64, Z: 8}}, {-90, 45, &geom.Pos{X: 10, Y: 64, Z: 8}}, {180, 0, nil}, {0, -90, nil},
	} {
		a.send(a.packet("look").Float(test.yaw).Float(test.pitch).Bool(true))
		a.command("ai  build a house ")
		if d := cmp.Diff(asked{"a", "build a house", test.want}, <-got); d != "" {
			t.Errorf("looking %v, %v (-want +got):\n%s", test.yaw, test.pitch, d)
		}
		if got := a.text(); got != "I will build a house" {
			t.Errorf("the answer is %q", got)
		}
	}
	b.command("help me")
	if got := b.text(); !strings.Contains(got, "no command /help") || !strings.Contains(got, "/ai") {
		t.Errorf("another command is answered %q", got)
	}
	if len(b.said) != 1 {
		t.Errorf("another player reads %q", b.said)
	}
	c := start(t, small, java.Options{}).join(t, "c")
	c.command("ai x")
	if got := c.text(); got != "There is no command /ai." {
		t.Errorf("without a builder /ai is answered %q", got)
	}
}
