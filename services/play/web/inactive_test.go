package web_test

import (
	"net/http"
	"testing"
)

// TestInactive: while the account of the other is inactive no play token is made,
// and the page says why in the reader's language.
//
// clause: P-07, P-53
func TestInactive(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	b := l.as("player", "en")
	s := b.must(p.url())
	if err := l.config.Accounts.SetActive(t.Context(), "gm", false); err != nil {
		t.Fatal(err)
	}
	got := b.submit(s, p.url()+"token/", nil).is(http.StatusConflict).says("No token was made", "the game master or of the player is inactive")
	got.hides("pharos_play_", "no play token can be made")
	l.as("player", "pl").submit(s, p.url()+"token/", nil).is(http.StatusConflict).says("Nie utworzono tokenu")
	if err := l.config.Accounts.SetActive(t.Context(), "gm", true); err != nil {
		t.Fatal(err)
	}
	b.submit(s, p.url()+"token/", nil).is(http.StatusOK).says("pharos_play_")
}
