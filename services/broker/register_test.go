package broker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// registration is the answer to one.
type registration struct {
	Status int            `json:"-"`
	Header http.Header    `json:"-"`
	All    map[string]any `json:"-"`
	ID     string         `json:"client_id"`
	Error  string         `json:"error"`
}

func (b *browser) tryRegister(body string) reply {
	r, err := http.NewRequestWithContext(b.l.t.Context(), http.MethodPost, b.l.url+"/register", strings.NewReader(body))
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return b.do(r, err)
}

// tryRegister registers a client by a body.
func (l *lab) tryRegister(body string) registration {
	l.t.Helper()
	got := l.browser().tryRegister(body)
	answer := registration{Status: got.StatusCode, Header: got.Header}
	for _, v := range []any{&answer, &answer.All} {
		if err := json.Unmarshal([]byte(got.body), v); err != nil {
			l.t.Fatalf("registering: status %d, %v: %s", got.StatusCode, err, got.body)
		}
	}
	return answer
}

func (l *lab) register(body string) registration {
	l.t.Helper()
	answer := l.tryRegister(body)
	if answer.Status != http.StatusCreated {
		l.t.Fatalf("registering: %+v", answer.All)
	}
	return answer
}

// minimal is the least that a client must say.
const minimal = `{"redirect_uris":["` + redirect + `"]}`

// clause: E-30
func TestRegister(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	many := func(n int) string {
		uris := make([]string, n)
		for i := range uris {
			uris[i] = fmt.Sprintf("http://127.0.0.1/%d", i)
		}
		text, _ := json.Marshal(uris)
		return string(text)
	}
	long := func(n int) string {
		return `["https://example.com/` + strings.Repeat("p", n-len("https://example.com/")) + `"]`
	}
	for uris, taken := range map[string]bool{
		``: false, `null`: false, `[]`: false, `[""]`: false, `[null]`: false, many(10): true, many(11): false,
		`["javascript:alert(1)"]`: false, `["javascript://x/%0aalert(1)"]`: false, `["data:text/html,x"]`: false, `["file:///etc/passwd"]`: false,
		`["http://example.com/cb"]`: false, `["http://10.0.0.1/cb"]`: false, `["https://example.com/cb#x"]`: false, `["https://example.com/cb#"]`: false,
		`["*"]`: false, `["https://*.example.com/cb"]`: false, `["https:///cb"]`: false, `["//example.com/cb"]`: false, `["/cb"]`: false,
		`["https://a@example.com/cb"]`: false, `["https://example.com/a/../cb"]`: false, `["https://example.com/a b"]`: false,
		`["https://example.com/ä"]`: false, `["https://example.com:0/cb"]`: false, `["vscode://x/cb"]`: false, `["cursor:opaque"]`: false, `["http://[::1/cb"]`: false, `["cursor://x/cb"]`: true,
		`["https://example.com/cb?code=x"]`: false, `["https://example.com/cb?a=1&iss=x"]`: false, `["https://example.com/cb?st%61te"]`: false,
		`["https://example.com/cb?error=x"]`: false, `["https://example.com/cb?a;b"]`: false, `["https://example.com/cb?a=1&codes=x"]`: true,
		`["https://example.com/cb"]`: true, `["http://localhost/cb"]`: true, `["http://[::1]:9/cb"]`: true,
		long(2000): true, long(2001): false, `["` + redirect + `","http://example.com/"]`: false,
		`[` + strings.Trim(long(2000), "[]") + `,` + strings.Trim(long(2000), "[]") + `,` + strings.Trim(long(96), "[]") + `]`: true,
		`[` + strings.Trim(long(2000), "[]") + `,` + strings.Trim(long(2000), "[]") + `,` + strings.Trim(long(97), "[]") + `]`: false,
	} {
		l.later(2 * time.Minute) // so that the rate is no matter here
		body := `{"redirect_uris":` + uris + `}`
		if uris == "" {
			body = `{}`
		}
		got := l.tryRegister(body)
		if taken && got.Status != http.StatusCreated || !taken && (got.Status != http.StatusBadRequest || got.Error != "invalid_redirect_uri") {
			t.Errorf("R01 %.80s: status %d, %v, want it taken: %t", uris, got.Status, got.All, taken)
		}
	}
	l.later(time.Hour)
	t.Run("R02 the least", func(t *testing.T) {
		got := l.in(t).register(minimal)
		for name, want := range map[string]any{
			"redirect_uris": []any{redirect}, "grant_types": []any{"authorization_code", "refresh_token"}, "response_types": []any{"code"},
			"token_endpoint_auth_method": "none", "client_name": "unnamed client", "client_id_issued_at": float64(l.clock().Unix()),
		} {
			if !reflect.DeepEqual(got.All[name], want) {
				t.Errorf("%s is %v, want %v", name, got.All[name], want)
			}
		}
		for name, value := range got.All {
			if value == nil {
				t.Errorf("%s is null", name)
			}
		}
		if !strings.HasPrefix(got.ID, "pharos_client_") || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("id %q, %v", got.ID, got.Header)
		}
	})
	for vector, extra := range map[string]string{
		"R03 a secret":           `"token_endpoint_auth_method":"client_secret_post"`,
		"R04 other grants":       `"grant_types":["authorization_code","client_credentials","password","implicit"],"response_types":["code","token"]`,
		"R06 what could be read": `"software_statement":"x","jwks_uri":"` + l.platform.url + `","sector_identifier_uri":"` + l.platform.url + `","logo_uri":"` + l.platform.url + `"`,
		"R06 anything":           `"application_type":"native","x":{"y":[1]}`,
	} {
		t.Run(vector, func(t *testing.T) {
			l := l.in(t)
			got := l.register(`{"redirect_uris":["` + redirect + `"],` + extra + `}`)
			if _, secret := got.All["client_secret"]; secret || got.All["token_endpoint_auth_method"] != "none" ||
				!reflect.DeepEqual(got.All["grant_types"], []any{"authorization_code", "refresh_token"}) {
				t.Errorf("got %v", got.All)
			}
		})
	}
	for body, want := range map[string]string{
		`{"redirect_uris":["` + redirect + `"],"grant_types":["client_credentials"]}`: "invalid_client_metadata",
		`{"redirect_uris":["` + redirect + `"],"response_types":["token"]}`:           "invalid_client_metadata",
		`{"redirect_uris":["` + redirect + `"],"redirect_uris":["` + redirect + `"]}`: "invalid_client_metadata",
		`{"redirect_uris":"` + redirect + `"}`:                                        "invalid_client_metadata",
		`[]`:                                                                          "invalid_client_metadata",
		`{} {}`:                                                                       "invalid_client_metadata",
	} {
		if got := l.tryRegister(body); got.Status != http.StatusBadRequest || got.Error != want {
			t.Errorf("R04 %s: status %d, %v", body, got.Status, got.All)
		}
	}
	if l.platform.asked != 0 {
		t.Errorf("R06: %d requests for what a client says of itself", l.platform.asked)
	}
}

// Registration is open within bounds, and what nobody uses goes.
//
// clause: E-30
func TestRegistrationBounds(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	used := l.register(minimal).ID
	q := l.with("client_id", used)
	f := l.redemption(l.code("member", q))
	f.Set("client_id", used)
	if ts := l.token(f); ts.Status != http.StatusOK {
		t.Fatalf("redeeming: %+v", ts)
	}
	l.later(time.Minute)
	for range 59 {
		l.register(minimal)
	}
	got := l.tryRegister(minimal)
	if wait, err := strconv.Atoi(got.Header.Get("Retry-After")); got.Status != http.StatusTooManyRequests || err != nil || wait != 59*60 {
		t.Errorf("R05 61st in an hour: status %d, %v", got.Status, got.Header)
	}
	l.later(59 * time.Minute)
	l.register(minimal)
	if got := l.tryRegister(minimal); got.Status != http.StatusTooManyRequests {
		t.Errorf("R05 two in the place of one: status %d", got.Status)
	}
	forget := func() {
		t.Helper()
		if err := l.broker.Forget(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	l.later(23 * time.Hour)
	if forget(); l.count("client") != 61 || l.count("registration") != 0 {
		t.Errorf("R05 after 24 hours at most: %d clients, %d registrations", l.count("client"), l.count("registration"))
	}
	l.later(time.Hour + time.Second)
	if forget(); l.count("client") != 1 {
		t.Errorf("R05 after 24 hours: %d clients, want the one that is used", l.count("client"))
	}
	if r := l.authorize(q); r.StatusCode != http.StatusOK {
		t.Errorf("R05 the one that is used: status %d", r.StatusCode)
	}
	l.later(90 * 24 * time.Hour)
	if forget(); l.count("client")+l.count("authorization_grant")+l.count("code")+l.count("refresh_token")+l.count("request") != 0 {
		t.Error("after 90 days something is left")
	}
	wantPage(t, l.authorize(q), http.StatusBadRequest)
	if got := l.token(url.Values{"grant_type": {"refresh_token"}, "client_id": {used}, "refresh_token": {"x"}}); got.Error != "invalid_client" {
		t.Errorf("the client that is forgotten gets %+v", got)
	}
}
