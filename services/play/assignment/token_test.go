package assignment_test

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// token makes a play token as somebody.
func (b table) token(viewer uuid.UUID) string {
	b.t.Helper()
	plaintext, info, err := b.GenerateToken(b.t.Context(), viewer, b.id)
	if err != nil {
		b.t.Fatal(err)
	}
	now := noon.Add(time.Duration(b.elapsed.Load()))
	same(b.t, info, assignment.TokenInfo{CreatedAt: pg.Time(now), ExpiresAt: pg.Time(now).Add(14 * 24 * time.Hour)})
	return plaintext
}

// sits sees whether a token is good.
func (b table) sits(token string, want bool) {
	b.t.Helper()
	seat, err := b.Seat(b.t.Context(), token)
	if want {
		if err != nil {
			b.t.Errorf("error %v", err)
		}
		same(b.t, seat, b.seat)
		return
	}
	if fault.CodeOf(err) != fault.Unauthenticated || seat != (assignment.Seat{}) {
		b.t.Errorf("%+v, error %v", seat, err)
	}
}

// clause: P-03, P-05, P-06
func TestToken(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	before := b.session()
	old := b.token(player)
	b.sits(old, true)
	b.pass(time.Hour)
	fresh := b.token(gm)
	b.sits(old, false)
	b.sits(fresh, true)
	other := b.another("paul")
	b.sits(fresh, true)
	other.sits(other.token(gm), true)

	// Rotation is no event of the story.
	after := b.session()
	if after.Token == nil || !after.Token.CreatedAt.Equal(pg.Time(noon.Add(time.Hour))) {
		t.Errorf("token %+v", after.Token)
	}
	after.Token = nil
	same(t, after, before)

	for _, viewer := range []uuid.UUID{stranger, uuid.New()} {
		if _, _, err := b.GenerateToken(t.Context(), viewer, b.id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("generate: error %v", err)
		}
		if err := b.RevokeToken(t.Context(), viewer, b.id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("revoke: error %v", err)
		}
	}
	b.sits(fresh, true)
	for _, viewer := range []uuid.UUID{player, gm} { // the second finds nothing, and that is well
		if err := b.RevokeToken(t.Context(), viewer, b.id); err != nil {
			t.Error(err)
		}
		b.sits(fresh, false)
	}
	if b.session().Token != nil {
		t.Error("a token is shown that does not live")
	}
}

// clause: P-05
func TestTokenSecret(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	token := b.token(gm)
	secret := strings.TrimPrefix(token, "pharos_play_")
	bits, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(secret[:32]))
	if err != nil || len(bits)*8 != 160 {
		t.Errorf("%d bits, error %v", len(bits)*8, err)
	}
	var digest []byte
	if err := b.pool.QueryRow(t.Context(), "SELECT digest FROM play.access_token").Scan(&digest); err != nil {
		t.Fatal(err)
	}
	if want := sha256.Sum256([]byte(token)); string(digest) != string(want[:]) {
		t.Errorf("digest %x, want %x", digest, want)
	}
	kept := b.count(`SELECT count(*) FROM play.access_token AS t WHERE t::text LIKE '%' || $1 || '%'`, secret[:32])
	if again := b.token(gm); kept != 0 || again == token {
		t.Errorf("the secret is kept %d times; the next one is the same: %v", kept, again == token)
	}
}

// clause: P-06
func TestTokenLife(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	token := b.token(gm)
	b.pass(14*24*time.Hour - time.Microsecond)
	b.sits(token, true)
	if b.session().Token == nil {
		t.Error("a token lives that is not shown")
	}
	b.pass(time.Microsecond)
	b.sits(token, false)
	if b.session().Token != nil {
		t.Error("a token is shown that does not live")
	}
	b.sits(b.token(gm), true)
}

// clause: P-07
func TestTokenOfInactive(t *testing.T) {
	t.Parallel()
	for name, who := range map[string]uuid.UUID{"the game master": gm, "the player": player} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTable(t)
			token := b.token(gm)
			b.exec("UPDATE play.account SET active = false WHERE id = $1", who)
			b.sits(token, false)
			for _, viewer := range []uuid.UUID{gm, player} {
				plaintext, info, err := b.GenerateToken(t.Context(), viewer, b.id)
				if fault.CodeOf(err) != fault.Conflict || plaintext != "" || info != (assignment.TokenInfo{}) {
					t.Errorf("a new one: %+v, error %v", info, err)
				}
			}
			if err := b.RevokeToken(t.Context(), gm, b.id); err != nil {
				t.Errorf("revoke: error %v", err)
			}
			b.exec("UPDATE play.account SET active = true WHERE id = $1", who)
			b.sits(token, false)
			b.sits(b.token(player), true)
		})
	}
	t.Run("a token that is being made", func(t *testing.T) {
		t.Parallel()
		b := newTable(t)
		made := make(chan error, 1)
		err := pgx.BeginFunc(t.Context(), b.pool, func(tx pgx.Tx) error {
			// The account is deactivated after the request for the token was admitted.
			if _, err := tx.Exec(t.Context(), "UPDATE play.account SET active = false WHERE id = $1", player); err != nil {
				return err
			}
			go func() {
				_, _, err := b.GenerateToken(t.Context(), player, b.id)
				made <- err
			}()
			b.waits()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-made; fault.CodeOf(err) != fault.Conflict {
			t.Errorf("error %v", err)
		}
		if n := b.count("SELECT count(*) FROM play.access_token"); n != 0 {
			t.Errorf("%d tokens", n)
		}
	})
	t.Run("a request that was admitted before", func(t *testing.T) {
		t.Parallel()
		b := newTable(t)
		token := b.token(gm)
		b.sits(token, true)
		if err := b.RevokeToken(t.Context(), gm, b.id); err != nil {
			t.Fatal(err)
		}
		b.commit(turn(1))
	})
}

// TestTokenLike tries what is no play token that lives.
//
// clause: P-03, P-04, P-05
func TestTokenLike(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	token := b.token(gm)
	for name, other := range map[string]string{
		"nothing":         "",
		"the prefix":      "pharos_play_",
		"an author's":     "pharos_author_" + strings.TrimPrefix(token, "pharos_play_"),
		"in capitals":     strings.ToUpper(token),
		"one letter less": token[:len(token)-1],
		"one letter more": token + "a",
		"with a space":    token + " ",
		"with NUL":        token + "\x00",
		"another letter":  "pharos_play_" + strings.Map(func(r rune) rune { return 'a' + (r+1)%26 }, token[12:]),
		"the digest":      strings.Repeat("00", 32),
		"SQL":             "' OR true --",
	} {
		if _, err := b.Seat(t.Context(), other); fault.CodeOf(err) != fault.Unauthenticated {
			t.Errorf("%s: error %v", name, err)
		}
	}
	b.sits(token, true)
}

// TestTokensAtOnce rotates in many places: one token is left, and sits.
//
// clause: P-06
func TestTokensAtOnce(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	tokens := make([]string, 12)
	var all sync.WaitGroup
	for i := range tokens {
		all.Go(func() {
			var err error
			if tokens[i], _, err = b.GenerateToken(t.Context(), []uuid.UUID{gm, player}[i%2], b.id); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	good := 0
	for _, token := range tokens {
		if _, err := b.Seat(t.Context(), token); err == nil {
			good++
		}
	}
	if good != 1 {
		t.Errorf("%d tokens are good", good)
	}
}

// TestTokenDuringTurn makes the first token while a write holds the assignment.
func TestTokenDuringTurn(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	b.exec(`
		CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			PERFORM pg_advisory_xact_lock(1);
			RETURN NULL;
		END $$;
		CREATE TRIGGER stay AFTER INSERT ON play.event FOR EACH ROW EXECUTE FUNCTION stay()`)
	written := make(chan error, 1)
	err := pgx.BeginFunc(t.Context(), b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SELECT pg_advisory_xact_lock(1)"); err != nil {
			return err
		}
		go func() {
			_, err := b.Commit(t.Context(), b.seat, turn(1))
			written <- err
		}()
		b.waits()
		_, _, err := b.within("lock_timeout", "100").GenerateToken(t.Context(), player, b.id)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

// clause: P-03
func TestSeatOfContext(t *testing.T) {
	t.Parallel()
	if s, ok := assignment.SeatOf(context.Background()); ok {
		t.Errorf("%+v", s)
	}
	want := assignment.Seat{AssignmentID: harbor, PlayerID: player, Language: "pl"}
	if got, ok := assignment.SeatOf(assignment.WithSeat(t.Context(), want)); !ok || got != want {
		t.Errorf("%+v, %v", got, ok)
	}
}
