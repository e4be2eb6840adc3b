package playtest

import (
	"net/http"
	"strings"
	"testing"
)

// TestAdmitted: an account is disabled in the middle of a turn. The turn was let
// in before, and comes to its end; nothing else does, nor when the account is
// enabled again.
//
// clause: P-07
func TestAdmitted(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	c.person(t, "gm")
	c.person(t, "player")
	c.author(t, "gm")
	c.play(t, "this", "gm", "player")
	cookie := c.session(t, "gm")
	p := serve(t, configure(t, c.database, map[string]any{"lock_timeout": "20s", "statement_timeout": "20s"}))
	s := c.about(t, "this")
	turn, again := requests["play commit_play_turn"](s), requests["play get_play_context"](s)

	held, err := c.pool.Begin(t.Context())
	ok(t, err)
	_, err = held.Exec(t.Context(), "SELECT FROM play.assignment WHERE id = $1 FOR UPDATE", s.play.id)
	ok(t, err)
	turned := make(chan reply, 1)
	go func() { turned <- turn.send(t, p.url, shows{bearer: s.play.token}) }()
	for waiting := 0; waiting == 0; {
		ok(t, c.pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting))
	}
	refused := func(when string) {
		t.Helper()
		for what, got := range map[string]reply{
			"the play token":     again.send(t, p.url, shows{bearer: s.play.token}),
			"the author's token": requests["author ping"](s).send(t, p.url, shows{bearer: c.owns["gm"].token}),
			"the login":          requests["GET /api/session/"](s).send(t, p.url, shows{cookie: cookie}),
		} {
			if got.Status != http.StatusUnauthorized {
				t.Errorf("%s, %s: status %d", when, what, got.Status)
			}
		}
	}
	administer(t, c.database, "account", "disable", c.people["gm"].Username)
	refused("disabled")
	ok(t, held.Rollback(t.Context()))
	if got := <-turned; got.Status != http.StatusOK || strings.Contains(got.Body, `"isError":true`) {
		t.Errorf("the turn: %d %s", got.Status, got.Body)
	}
	administer(t, c.database, "account", "enable", c.people["gm"].Username)
	refused("enabled again")
}
