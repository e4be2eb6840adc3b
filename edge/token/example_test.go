package token_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// An API of one's own takes what a gateway says of its callers, and a gateway of
// one's own says it: the one with a Trust, the other with a Signer. The keys are
// files, which pharos keygen makes and each side reads at its start.
//
// clause: E-59
func Example() {
	private, enrolment, err := token.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	signer, err := token.ParseSigner(private) // the gateway's file
	if err != nil {
		panic(err)
	}
	keys, err := token.ParseKeys(enrolment) // the API's file
	if err != nil {
		panic(err)
	}

	// The API: who calls, for which operation, and what they were granted.
	trust := token.Trust{Keys: keys, Issuer: "https://gateway.example.org", Audience: token.AudienceAssertion}
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		compact, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		a, err := trust.Assertion(compact)
		if err != nil || a.OperationID != "listOrders" {
			http.Error(w, token.ErrInvalid.Error(), http.StatusUnauthorized) // err is for the log
			return
		}
		if !slices.Contains(a.Scopes, "orders:read") {
			http.Error(w, "orders:read is needed", http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, "orders of %s", a.Identity.VopersonID)
	})

	// The gateway: what its caller may, for this one call.
	now := time.Now()
	compact, err := signer.Assertion(token.Assertion{
		Claims: token.Claims{
			Issuer: trust.Issuer, Audience: trust.Audience, Subject: "party-7", ID: rand.Text(),
			IssuedAt: now, Expires: now.Add(token.LifetimeAssertion),
			Identity: token.Identity{Issuer: "https://login.example.org", Subject: "7", VopersonID: "ada@example.org"},
		},
		Authority:   token.Authority{Party: "party-7", AuthVersion: 1, Scopes: []string{"orders:read"}},
		OperationID: "listOrders",
	})
	if err != nil {
		panic(err)
	}
	for _, bearer := range []string{compact, compact + "x"} {
		r := httptest.NewRequest(http.MethodGet, "/orders", nil)
		r.Header.Set("Authorization", "Bearer "+bearer)
		reply := httptest.NewRecorder()
		api.ServeHTTP(reply, r)
		fmt.Println(reply.Code, strings.TrimSpace(reply.Body.String()))
	}
	// Output:
	// 200 orders of ada@example.org
	// 401 the token is not valid
}
