package broker_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/pharos-mcp/pharos/edge/token"
)

// tokens are the members of a token endpoint's reply, of success or failure.
type tokens struct {
	Status       int    `json:"-"`
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
	Error        string `json:"error"`
	Description  string `json:"error_description"`
}

func (l *lab) token(f url.Values) tokens {
	l.t.Helper()
	r := l.browser().post(l.url+"/token", f)
	if r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Cache-Control") != "no-store" {
		l.t.Errorf("T09: %v: %s", r.Header, r.body)
	}
	return read(l.t, r)
}

// redemption is the right use of a code.
func (l *lab) redemption(code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "client_id": {l.client.ID}, "redirect_uri": {redirect},
		"code_verifier": {verifier},
	}
}

// refreshing is the right use of a refresh token.
func (l *lab) refreshing(secret string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {secret}, "client_id": {l.client.ID}}
}

// granted are the first tokens of a grant by a user.
func (l *lab) granted(user string, q url.Values) tokens {
	l.t.Helper()
	ts := l.token(l.redemption(l.code(user, q)))
	if ts.Status != http.StatusOK {
		l.t.Fatalf("redeeming: %+v", ts)
	}
	return ts
}

// access is the access token as the gateway sees it.
func (l *lab) access(compact string) token.Access {
	l.t.Helper()
	trust := token.Trust{Keys: l.signer.Keys(), Issuer: l.url, Audience: l.resource, Now: l.clock}
	a, err := trust.Access(compact)
	if err != nil {
		l.t.Fatal(err)
	}
	return a
}

// count is the number of rows of a table.
func (l *lab) count(table string) (n int) {
	l.t.Helper()
	if err := l.pool.QueryRow(context.Background(), "SELECT count(*) FROM broker."+table).Scan(&n); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// read reads the reply of the token endpoint.
func read(t *testing.T, r reply) tokens {
	t.Helper()
	ts := tokens{Status: r.StatusCode}
	if err := json.Unmarshal([]byte(r.body), &ts); err != nil {
		t.Fatal(err)
	}
	return ts
}
