package broker_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/internal/devidp"
	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/broker"
)

// TestMain reads along for secrets in what the tests print and log.
func TestMain(m *testing.M) { os.Exit(leak.Main(m)) }

// lab is a laboratory as one test sees it.
type lab struct {
	t *testing.T
	*setup
}

// in is the same laboratory for a part of its test.
func (l *lab) in(t *testing.T) *lab { return &lab{t, l.setup} }

// setup is a broker on a real database between a provider that logs in whom one
// chooses and a platform that knows the login assertions of this broker.
type setup struct {
	url      string
	resource string
	pool     *pgxpool.Pool
	provider *devidp.Fault
	platform *platform
	signer   *token.Signer
	broker   *broker.Broker
	log      *bytes.Buffer
	client   broker.Client
	login    *httptest.Server // the provider's

	mu  sync.Mutex
	now time.Time
}

// redirect is where the laboratory's client is registered to return to.
const redirect = "http://127.0.0.1/callback"

// newLab starts all of it. change may alter the broker's configuration.
func newLab(t *testing.T, change func(*broker.Config)) *lab {
	t.Helper()
	return newLabOn(t, pgtest.Database(t, "broker"), change, nil)
}

// newLabOn starts it over a database, with what change and with alter.
func newLabOn(t *testing.T, pool *pgxpool.Pool, change func(*broker.Config), with func(*broker.Options)) *lab {
	t.Helper()
	l := &lab{t, &setup{
		now: time.Now().Truncate(time.Second), provider: &devidp.Fault{}, log: &bytes.Buffer{}, pool: pool,
		client: broker.Client{ID: "lab", Name: "The laboratory", Redirects: []string{redirect}},
	}}
	private, _, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{7}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	if l.signer, err = token.ParseSigner(private); err != nil {
		t.Fatal(err)
	}
	var door, idp http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { door.ServeHTTP(w, r) }))
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { idp.ServeHTTP(w, r) }))
	t.Cleanup(front.Close)
	t.Cleanup(login.Close)
	l.url, l.resource, l.login = front.URL, front.URL+"/mcp", login
	l.platform = newPlatform(t, l)
	provider, err := devidp.New(devidp.Options{
		Issuer: login.URL, ClientID: "broker", Redirect: front.URL + "/callback", Now: l.clock, Fault: l.provider,
	})
	if err != nil {
		t.Fatal(err)
	}
	idp = provider
	config := broker.Config{
		Issuer: front.URL, Resource: l.resource, ResourceName: "the platform", Development: true, Signer: l.signer,
		Scopes:   broker.Scopes{Member: []string{"runs:read", "support:read", "support:write"}, Operator: []string{"support:admin"}},
		Upstream: broker.Upstream{Issuer: login.URL, ClientID: "broker"},
		Identity: l.platform.url + "/internal/mcp/identity", Platform: "https://platform.example.org/login",
		Clients: []broker.Client{l.client}, Schemes: []string{"cursor"},
	}
	if change != nil {
		change(&config)
	}
	options := broker.Options{Now: l.clock, Log: slog.New(slog.NewJSONHandler(leak.Watch("the broker's log", locked{l}), nil))}
	if with != nil {
		with(&options)
	}
	if l.broker, err = broker.New(config, l.pool, options); err != nil {
		t.Fatal(err)
	}
	door = l.broker.Handler()
	return l
}

// logged is all that the broker has logged.
func (l *lab) logged() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log.String()
}

// locked writes to the laboratory's log.
type locked struct{ l *lab }

func (w locked) Write(p []byte) (int, error) {
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	return w.l.log.Write(p)
}

func (l *lab) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// later moves the time of everything.
func (l *lab) later(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}

// platform is a platform that knows the devidp's people, and can fail.
type platform struct {
	url string

	mu       sync.Mutex
	version  int64
	prefix   string // of party ids
	operator bool
	answer   func(w http.ResponseWriter) bool // in place of its own
	asked    int
}

func newPlatform(t *testing.T, l *lab) *platform {
	p := &platform{version: 1}
	trust := token.Trust{Keys: l.signer.Keys(), Issuer: l.url, Audience: token.AudienceLogin, Now: l.clock}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked++
		answer := p.answer
		p.mu.Unlock()
		login, err := trust.Login(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		if err != nil {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if answer != nil && answer(w) {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		code := map[string]string{"unregistered": "not_registered", "pending": "aup_required", "setup": "setup_required"}[login.Identity.Subject]
		if code != "" {
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "title": "no", "status": 403})
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"party_id": fmt.Sprintf("%sparty-of-%.40s", p.prefix, login.Identity.Subject), "auth_version": p.version,
			"operator": login.Identity.Subject == "operator" && p.operator,
		})
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// set changes the platform between requests.
func (p *platform) set(change func(*platform)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// browser is a person's browser: it keeps cookies and follows nothing by itself.
type browser struct {
	l    *lab
	http http.Client
}

func (l *lab) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return &browser{l, http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}}
}

// reply is a response with its body read.
type reply struct {
	*http.Response
	body string
}

func (b *browser) do(r *http.Request, err error) reply {
	b.l.t.Helper()
	if err != nil {
		b.l.t.Fatal(err)
	}
	response, err := b.http.Do(r)
	if err != nil {
		b.l.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.l.t.Fatal(err)
	}
	if strings.HasPrefix(r.URL.String(), b.l.url) {
		b.l.inspect(reply{response, string(body)})
	}
	return reply{response, string(body)}
}

// inspect sees that a reply of the broker has no secret but where it belongs.
func (l *lab) inspect(r reply) {
	l.t.Helper()
	mine := map[string][]string{"Set-Cookie": {"pharos_browser_"}, "Location": {"pharos_code_"}, "body": {}}
	if target, err := r.Location(); err == nil && strings.HasPrefix(target.String(), l.login.URL) {
		mine["Location"] = []string{"pharos_state_"}
	}
	switch {
	case strings.HasPrefix(r.Header.Get("Content-Type"), "text/html"):
		mine["body"] = []string{"pharos_ask_"}
	case r.Request.URL.Path == "/token" && r.StatusCode == http.StatusOK:
		mine["body"] = []string{"JWT", "pharos_refresh_"}
	}
	places := map[string]string{"body": r.body}
	for name, values := range r.Header {
		places[name] = strings.Join(values, "\n")
	}
	for place, text := range places {
		for _, kind := range leak.Kinds(text) {
			if !slices.Contains(mine[place], kind) {
				l.t.Errorf("%s %s: %s holds a %s", r.Request.Method, r.Request.URL.Path, place, kind)
			}
		}
	}
}

func (b *browser) get(target string) reply {
	return b.do(http.NewRequestWithContext(b.l.t.Context(), http.MethodGet, target, nil))
}

func (b *browser) post(target string, f url.Values) reply {
	r, err := http.NewRequestWithContext(b.l.t.Context(), http.MethodPost, target, strings.NewReader(f.Encode()))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return b.do(r, err)
}

// verifier is the laboratory's PKCE verifier, challenge its challenge.
const verifier = "the-verifier-of-the-laboratory-which-is-long-enough"

func challenge() string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// request is a right authorization request of the laboratory's client.
func (l *lab) request() url.Values {
	return url.Values{
		"client_id": {l.client.ID}, "redirect_uri": {redirect}, "response_type": {"code"}, "code_challenge": {challenge()},
		"code_challenge_method": {"S256"}, "state": {"client-state"}, "resource": {l.resource}, "scope": {"runs:read support:write"},
	}
}

var handleForm = regexp.MustCompile(`name="handle" value="(pharos_ask_[A-Za-z0-9_-]{43})"`)

// handleOf is the handle in a page's form.
func handleOf(t *testing.T, page string) string {
	t.Helper()
	match := handleForm.FindStringSubmatch(page)
	if match == nil {
		t.Fatalf("no form in the page:\n%s", page)
	}
	return match[1]
}

// consent asks for authorization and allows it; the reply is what leads to the
// login.
func (b *browser) consent(q url.Values) reply {
	b.l.t.Helper()
	page := b.get(b.l.url + "/authorize?" + q.Encode())
	if page.StatusCode != http.StatusOK {
		b.l.t.Fatalf("authorize: status %d\n%s", page.StatusCode, page.body)
	}
	return b.post(b.l.url+"/consent", url.Values{"handle": {handleOf(b.l.t, page.body)}, "answer": {"allow"}})
}

// login takes the reply of consent to the provider, logs in as a user and
// comes back to the broker's callback, whose reply it returns.
func (b *browser) login(allowed reply, user string) reply {
	b.l.t.Helper()
	return b.get(b.chosen(allowed, user))
}

// chosen logs in as a user and gives where the provider sends the browser.
func (b *browser) chosen(allowed reply, user string) string {
	b.l.t.Helper()
	if allowed.StatusCode != http.StatusSeeOther {
		b.l.t.Fatalf("consent: status %d\n%s", allowed.StatusCode, allowed.body)
	}
	chosen := b.post(allowed.Header.Get("Location"), url.Values{"user": {user}})
	if chosen.StatusCode != http.StatusSeeOther {
		b.l.t.Fatalf("login: status %d\n%s", chosen.StatusCode, chosen.body)
	}
	return chosen.Header.Get("Location")
}

// answerOf is what the broker sends the client through the browser.
func answerOf(t *testing.T, r reply) url.Values {
	t.Helper()
	target, err := r.Location()
	if err != nil || r.StatusCode != http.StatusSeeOther || !strings.HasPrefix(target.String(), redirect+"?") {
		t.Fatalf("the answer to the client: status %d, location %v, error %v\n%s", r.StatusCode, target, err, r.body)
	}
	return target.Query()
}

// code is a fresh code of a grant by a user.
func (l *lab) code(user string, q url.Values) string {
	l.t.Helper()
	b := l.browser()
	answer := answerOf(l.t, b.login(b.consent(q), user))
	if answer.Get("code") == "" {
		l.t.Fatalf("no code: %v", answer)
	}
	return answer.Get("code")
}

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
