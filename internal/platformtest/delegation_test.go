package platformtest

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// signer is somebody whom the processes of these tests believe.
type signer struct {
	*token.Signer
	issuer    string
	enrolment []byte
	private   []byte
}

func newSigner(issuer string, seed byte) signer {
	private, enrolment, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		panic(err)
	}
	s, err := token.ParseSigner(private)
	if err != nil {
		panic(err)
	}
	return signer{s, issuer, enrolment, private}
}

var (
	broker  = newSigner("https://agents.example.org", 1)
	gateway = newSigner("https://agents.example.org/gateway", 2)
)

// claims are what somebody says of a user now, for the API.
func (s signer) claims(audience, user, id string) token.Claims {
	at := time.Now().Truncate(time.Second)
	return token.Claims{
		Issuer: s.issuer, Audience: audience, Subject: user, ID: id, IssuedAt: at, Expires: at.Add(token.LifetimeLogin),
		Identity: token.Identity{Issuer: "urn:pharos:password", Subject: user, VopersonID: user},
	}
}

// TestLoginAssertionsAreTakenOnce by two processes, of all who show the same one
// at a time.
//
// clause: E-26, E-28
func TestLoginAssertionsAreTakenOnce(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t, "platform")
	first, second := serve(t, database, noRuns), serve(t, database, noRuns)
	addUser(t, database, "ada")
	party := one[string](t, pgtest.Pool(t, database), "SELECT id::text FROM platform.party")
	known := reply{Status: http.StatusOK, MediaType: "application/json", Body: fmt.Sprintf(
		"{\"auth_version\":1,\"operator\":false,\"party_id\":%q}\n", party)}
	identity := call{method: "POST", path: "/internal/mcp/identity", body: "{}"}
	for n := range 8 {
		compact, err := broker.Login(token.Login{Claims: broker.claims(token.AudienceLogin, "ada", identifier('1', n))})
		if err != nil {
			t.Fatal(err)
		}
		c, taken := newCaller(t, compact), 0
		for _, r := range c.together(t, []string{first.private, second.private}, func(int) call { return identity }) {
			if r.Status == http.StatusOK {
				taken++
				if diff := cmp.Diff(known, r); diff != "" {
					t.Errorf("the answer (-want +got):\n%s", diff)
				}
			} else if r.Status != http.StatusUnauthorized {
				t.Errorf("%+v", r)
			}
		}
		if taken != 1 {
			t.Errorf("assertion %d was taken %d times, want once", n, taken)
		}
		// The public does not have it, taken or not.
		c.must(t, first.url, identity, http.StatusNotFound)
	}
	// A gateway's assertion works at either process, for its one operation.
	compact, err := gateway.Assertion(token.Assertion{
		Claims:      gateway.claims(token.AudienceAssertion, "ada", identifier('2', 1)),
		Authority:   token.Authority{Party: party, AuthVersion: 1, Scopes: []string{"parties:read"}},
		OperationID: "getMyParty",
	})
	if err != nil {
		t.Fatal(err)
	}
	c := newCaller(t, compact)
	for _, p := range []*process{first, second} {
		c.must(t, p.url, call{method: "GET", path: "/parties/me"}, http.StatusOK)
		c.must(t, p.url, call{method: "GET", path: "/parties"}, http.StatusUnauthorized)
		c.must(t, p.private, identity, http.StatusUnauthorized)
	}
}
