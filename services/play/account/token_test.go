package account

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/secret"
)

// issue makes a token and gives its text.
func (l *lab) issue(a Account) string {
	l.t.Helper()
	text, _, err := l.IssueToken(l.t.Context(), a.ID, uuid.New(), "a token")
	if err != nil {
		l.t.Fatal(err)
	}
	return text
}

// clause: P-05, P-50
func TestIssueToken(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	mira, noa := l.person("mira"), l.person("noa")
	id := uuid.New()
	text, token, err := l.IssueToken(t.Context(), mira.ID, id, "my łódź")
	if err != nil {
		t.Fatal(err)
	}
	wanted := Token{ID: id, Name: "my łódź", CreatedAt: start, ExpiresAt: start.Add(90 * 24 * time.Hour)}
	if diff := cmp.Diff(wanted, token); diff != "" {
		t.Error(diff)
	}
	if !regexp.MustCompile(`^pharos_author_[a-z2-7]{59}$`).MatchString(text) {
		t.Errorf("the text has another form: %d characters", len(text))
	}
	var digest []byte
	var row string
	err = l.pool.QueryRow(t.Context(), "SELECT digest, author_token::text FROM play.author_token").Scan(&digest, &row)
	if err != nil || !bytes.Equal(digest, secret.Digest(text)) || strings.Contains(row, strings.TrimPrefix(text, AuthorTokenPrefix)[:20]) {
		t.Errorf("%v: kept is %s", err, row)
	}
	// The same form again makes nothing and shows nothing, whoever sends it.
	for who, owner := range map[string]uuid.UUID{"its owner": mira.ID, "another": noa.ID} {
		for _, name := range []string{"my łódź", "renamed"} {
			again, other, err := l.IssueToken(t.Context(), owner, id, name)
			want(t, who, err, fault.Exists)
			if again != "" || other != (Token{}) {
				t.Errorf("%s gets %d characters and %+v", who, len(again), other)
			}
		}
	}
	if n := l.count("SELECT count(*) FROM play.author_token"); n != 1 {
		t.Errorf("%d tokens, want 1", n)
	}
	if got, err := l.Author(t.Context(), text); err != nil || got != mira {
		t.Errorf("got %+v, %v, want %+v", got, err, mira)
	}
	for name, other := range map[string]string{
		"":             "",
		"made up":      tokenForm.New(),
		"a play token": secret.Token{Prefix: "pharos_play_", Bytes: 20}.New(),
		"a cookie":     l.login("mira"),
		"longer":       text + "a",
		"capitals":     strings.ToUpper(text),
		"with U+0000":  text[:len(text)-1] + "\x00",
	} {
		a, err := l.Author(t.Context(), other)
		want(t, "a bearer that is "+name, err, fault.Unauthenticated)
		if a != (Account{}) || err.Error() != errToken.Message {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

func TestTokenBounds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	mira := l.person("mira")
	for name, c := range map[string]struct {
		id   uuid.UUID
		name string
		code fault.Code
	}{
		"no id":      {uuid.Nil, "x", fault.Unprocessable},
		"no name":    {uuid.New(), "", fault.Unprocessable},
		"blank":      {uuid.New(), "\u00a0", fault.Unprocessable},
		"100":        {uuid.New(), strings.Repeat("🜁", MaxTokenName), ""},
		"101":        {uuid.New(), strings.Repeat("🜁", MaxTokenName+1), fault.Unprocessable},
		"two lines":  {uuid.New(), "a\nb", fault.Unprocessable},
		"U+0000":     {uuid.New(), "a\x00", fault.Invalid},
		"not a text": {uuid.New(), "\xff", fault.Invalid},
	} {
		_, _, err := l.IssueToken(t.Context(), mira.ID, c.id, c.name)
		want(t, name, err, c.code)
	}
	_, _, err := l.IssueToken(t.Context(), uuid.New(), uuid.New(), "x")
	want(t, "for nobody", err, fault.NotFound)
	if err := l.SetActive(t.Context(), "mira", false); err != nil {
		t.Fatal(err)
	}
	_, _, err = l.IssueToken(t.Context(), mira.ID, uuid.New(), "x")
	want(t, "for who is inactive", err, fault.Unauthenticated)
}

// clause: P-50
func TestTokens(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	mira, noa := l.person("mira"), l.person("noa")
	l.issue(noa)
	var made []Token
	var texts []string
	for range MaxTokens {
		text, token, err := l.IssueToken(t.Context(), mira.ID, uuid.New(), "x")
		if err != nil {
			t.Fatal(err)
		}
		made, texts = append([]Token{token}, made...), append([]string{text}, texts...)
		l.advance(time.Second)
	}
	_, _, err := l.IssueToken(t.Context(), mira.ID, uuid.New(), "x")
	want(t, "one more", err, fault.Conflict)
	_, _, err = l.IssueToken(t.Context(), mira.ID, made[0].ID, "x")
	want(t, "a form again", err, fault.Exists)
	got, err := l.Tokens(t.Context(), mira.ID)
	if diff := cmp.Diff(made, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}

	want(t, "another's", l.RevokeToken(t.Context(), noa.ID, made[0].ID), fault.NotFound)
	want(t, "one that is not there", l.RevokeToken(t.Context(), mira.ID, uuid.New()), fault.NotFound)
	if _, err := l.Author(t.Context(), texts[0]); err != nil {
		t.Errorf("after what revokes nothing: %v", err)
	}
	want(t, "its own", l.RevokeToken(t.Context(), mira.ID, made[0].ID), "")
	_, err = l.Author(t.Context(), texts[0])
	want(t, "after that", err, fault.Unauthenticated)
	want(t, "a second time", l.RevokeToken(t.Context(), mira.ID, made[0].ID), fault.NotFound)
	l.issue(mira)

	// The oldest is over first: it is listed no more, and makes room.
	l.advance(TokenTime - MaxTokens*time.Second - time.Microsecond)
	_, err = l.Author(t.Context(), texts[MaxTokens-1])
	want(t, "just before its end", err, "")
	l.advance(time.Microsecond)
	_, err = l.Author(t.Context(), texts[MaxTokens-1])
	want(t, "at its end", err, fault.Unauthenticated)
	if got, err := l.Tokens(t.Context(), mira.ID); err != nil || len(got) != MaxTokens-1 {
		t.Errorf("%d tokens (%v), want %d", len(got), err, MaxTokens-1)
	}
	l.issue(mira)
	_, _, err = l.IssueToken(t.Context(), mira.ID, uuid.New(), "x")
	want(t, "and one more", err, fault.Conflict)
}

// Of many forms that are sent at once no more are taken than there may be, and of
// one that is sent many times at once, one is answered with the text.
//
// clause: P-50
func TestTokensAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	mira := l.person("mira")
	for range MaxTokens - 2 {
		l.issue(mira)
	}
	same := uuid.New()
	codes := make(chan fault.Code, 12)
	for i := range cap(codes) {
		id := same
		if i%2 == 0 {
			id = uuid.New()
		}
		go func() {
			_, _, err := l.IssueToken(t.Context(), mira.ID, id, "x")
			codes <- fault.CodeOf(err)
		}()
	}
	got := map[fault.Code]int{}
	for range cap(codes) {
		got[<-codes]++
	}
	if got[""] != 2 || got[""]+got[fault.Conflict]+got[fault.Exists] != cap(codes) {
		t.Errorf("got %v, want 2 that are issued", got)
	}
	if n := l.count("SELECT count(*) FROM play.author_token"); n != MaxTokens {
		t.Errorf("%d tokens, want %d", n, MaxTokens)
	}
}

func TestTokenUse(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	mira := l.person("mira")
	text := l.issue(mira)
	for _, c := range []struct{ advance, used time.Duration }{
		{time.Second, time.Second}, {touchEvery - time.Microsecond, time.Second},
		{time.Microsecond, time.Second + touchEvery},
	} {
		l.advance(c.advance)
		if _, err := l.Author(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		got, err := l.Tokens(t.Context(), mira.ID)
		if err != nil || len(got) != 1 || got[0].LastUsedAt == nil || !got[0].LastUsedAt.Equal(start.Add(c.used)) {
			t.Errorf("%v: %+v, want last used %s after the start", err, got, c.used)
		}
	}
}
