package sshkey_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/sshkey"
)

// noon is when everything happens.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// fixture is the keys of a database of its own.
type fixture struct {
	*sshkey.Keys
	pool *pgxpool.Pool
	t    *testing.T
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	pool := pgtest.Database(t, "platform")
	return fixture{sshkey.New(pool, command.NewDoor(pool, func() time.Time { return noon })), pool, t}
}

// party registers a party and gives the context of its calls.
func (f fixture) party(name string) context.Context {
	f.t.Helper()
	id := uuid.New()
	err := platformdb.New().InsertParty(f.t.Context(), f.pool, platformdb.InsertPartyParams{
		ID: id, Username: name, DisplayName: name, Email: name + "@example.org", State: "active", CreatedAt: noon,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return access.With(f.t.Context(), access.Principal{Party: id, AuthVersion: 1})
}

// on is a new command on a key at a revision.
func on(id uuid.UUID, revision int64) command.Command {
	return command.Command{Operation: "test", ID: id, Key: uuid.New(), Expected: revision}
}

// step checks the version, the status and the rejection of a command.
func step[T any](t *testing.T, what string, r command.Result[T], err error, version int64, status int, reason string) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if d := cmp.Diff(fmt.Sprint(version, " ", status, " ", reason), fmt.Sprint(r.Version, " ", r.Status, " ", r.Rejection)); d != "" {
		t.Errorf("%s (-want +got): %s", what, d)
	}
}

// clause: E-41
func TestLife(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, bob := f.party("ada"), f.party("bob")
	line, other := ed25519Line(), ed25519Line()
	public, err := sshkey.Parse(line + " laptop")
	if err != nil {
		t.Fatal(err)
	}
	c := on(uuid.New(), 0)
	id := c.ID
	want := sshkey.Key{ID: id, Name: "first", Public: public, Revision: 1, CreatedAt: noon, UpdatedAt: noon}
	for range 2 {
		r, err := f.Add(ada, c, "first", line+" laptop")
		step(t, "add", r, err, 1, 201, "")
		if d := cmp.Diff(want, r.Value); d != "" {
			t.Errorf("added (-want +got):\n%s", d)
		}
	}
	add := func(what string, who context.Context, c command.Command, line string, version int64, status int, reason string) {
		t.Helper()
		r, err := f.Add(who, c, "n", line)
		step(t, what, r, err, version, status, reason)
	}
	add("under another request's key", ada, c, other, 0, 409, "idempotency_key_reuse")
	add("under the identifier", ada, on(id, 0), other, 1, 409, "already_exists")
	add("under the identifier, by another", bob, on(id, 0), other, 0, 409, "already_exists")
	add("at a revision", ada, on(id, 1), other, 1, 409, "stale_revision")
	add("the same key", ada, on(uuid.New(), 0), line, 0, 409, "key_exists")
	add("the same key, by another", bob, on(uuid.New(), 0), line, 1, 201, "")
	add("a weak key", ada, on(uuid.New(), 0), rsaLine(2048, 65537), 0, 422, "weak_key")
	add("an option", ada, on(uuid.New(), 0), "no-pty "+other, 0, 422, "key_options")

	r, err := f.Rename(ada, on(id, 2), "second")
	step(t, "rename at another revision", r, err, 1, 409, "stale_revision")
	r, err = f.Rename(bob, on(id, 1), "second")
	step(t, "rename by another", r, err, 0, 404, "not_found")
	r, err = f.Rename(ada, on(id, 1), "second")
	step(t, "rename", r, err, 2, 200, "")
	want.Name, want.Revision = "second", 2
	got, err := f.Get(ada, id)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("renamed (-want +got):\n%s%v", d, err)
	}
	if _, err := f.Get(bob, id); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("get by another: %v, want not_found", err)
	}
	r, err = f.Delete(bob, on(id, 2))
	step(t, "delete by another", r, err, 0, 404, "not_found")
	r, err = f.Delete(ada, on(id, 1))
	step(t, "delete at another revision", r, err, 2, 409, "stale_revision")
	r, err = f.Delete(ada, on(id, 2))
	step(t, "delete", r, err, 3, 200, "")
	r, err = f.Delete(ada, on(id, 3))
	step(t, "delete once more", r, err, 0, 404, "not_found")
	add("again", ada, on(uuid.New(), 0), line, 1, 201, "")
}

// TestPrivateKeyLeavesNoTrace looks for a private key in the answer and
// everywhere in the database.
func TestPrivateKeyLeavesNoTrace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada := f.party("ada")
	_, private, _ := ed25519.GenerateKey(rand.Reader)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	c := on(uuid.New(), 0)
	r, err := f.Add(ada, c, "n", text)
	step(t, "a private key", r, err, 0, 422, "private_key")
	if r.ID != c.ID {
		t.Errorf("the outcome is that of %s, want %s", r.ID, c.ID)
	}
	for _, table := range []string{"receipt", "ssh_key"} {
		var n int
		if err := f.pool.QueryRow(t.Context(), "SELECT count(*) FROM platform."+table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s has %d rows, %v, want none", table, n, err)
		}
	}
	reply, err := f.ValidateSshKey(ada, platformapi.ValidateSshKeyRequestObject{
		Body: &platformapi.ValidateSshKeyJSONRequestBody{PublicKey: text},
	})
	if err != nil {
		t.Fatal(err)
	}
	shown, _ := reply.(platformapi.ValidateSshKey200JSONResponse)
	secret := strings.Split(text, "\n")[1]
	if shown.Valid || shown.Problem == nil || *shown.Problem != "private_key" || strings.Contains(*shown.Reason, secret) {
		t.Errorf("%+v, want the problem private_key and nothing of the key", shown)
	}
	// The same command with the right key is a new one.
	r, err = f.Add(ada, c, "n", ed25519Line())
	step(t, "then the public key", r, err, 1, 201, "")
}

// TestLimit adds keys until no more are allowed, all at once at the end.
func TestLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada := f.party("ada")
	const most, extra = 50, 5
	results := make(chan command.Rejection)
	for range most + extra {
		line := ed25519Line()
		go func() {
			r, err := f.Add(ada, on(uuid.New(), 0), "n", line)
			if err != nil {
				t.Error(err)
			}
			results <- r.Rejection
		}()
	}
	got := map[command.Rejection]int{}
	for range most + extra {
		got[<-results]++
	}
	if d := cmp.Diff(map[command.Rejection]int{"": most, "key_limit": extra}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	limit := int64(20)
	var cursor *string
	seen := map[uuid.UUID]bool{}
	for {
		p, err := page.Of(&limit, cursor, "test")
		if err != nil {
			t.Fatal(err)
		}
		keys, next, err := f.List(ada, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			seen[k.ID] = true
		}
		if cursor = next; next == nil {
			break
		}
	}
	if len(seen) != most {
		t.Errorf("listed %d keys, want %d", len(seen), most)
	}
}

// TestOneKeyOfManyAdditions adds one key under several identifiers at once.
func TestOneKeyOfManyAdditions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada := f.party("ada")
	line := ed25519Line()
	results := make(chan command.Rejection)
	for range 8 {
		go func() {
			r, err := f.Add(ada, on(uuid.New(), 0), "n", line)
			if err != nil {
				t.Error(err)
			}
			results <- r.Rejection
		}()
	}
	got := map[command.Rejection]int{}
	for range 8 {
		got[<-results]++
	}
	if d := cmp.Diff(map[command.Rejection]int{"": 1, "key_exists": 7}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
