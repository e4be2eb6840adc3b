package broker_test

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/internal/leak"
)

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
