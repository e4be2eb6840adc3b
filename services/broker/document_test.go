package broker_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/broker"
)

// documents is a server of clients' metadata documents.
type documents struct {
	*httptest.Server
	asked  atomic.Int64
	answer atomic.Pointer[http.HandlerFunc]
}

func newDocuments(t *testing.T) *documents {
	d := &documents{}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.asked.Add(1)
		(*d.answer.Load())(w, r)
	}))
	t.Cleanup(d.Close)
	return d
}

func (d *documents) id() string { return d.URL + "/client.json" }

// serve serves one text from now on, in which URL stands for the document's.
func (d *documents) serve(media, text string) {
	d.handle(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		_, _ = w.Write([]byte(strings.ReplaceAll(text, "URL", d.id())))
	})
}

func (d *documents) handle(f http.HandlerFunc) { d.answer.Store(&f) }

const rightDocument = `{"client_id":"URL","client_name":"A client","redirect_uris":["http://127.0.0.1/callback"],"x":[1]}`

// A client whose id is the URL of a document goes all the way, and its document
// is read once in ten minutes and for authorization alone.
//
// clause: E-30
func TestDocument(t *testing.T) {
	t.Parallel()
	l, d := newLab(t, nil), newDocuments(t)
	d.serve("application/json", rightDocument)
	q := l.with("client_id", d.id())
	page := l.authorize(q)
	if page.StatusCode != http.StatusOK || !strings.Contains(page.body, "A client") || !strings.Contains(page.body, d.Listener.Addr().String()) {
		t.Fatalf("the consent page: status %d\n%s", page.StatusCode, page.body)
	}
	ts := l.token(altered(l.redemption(l.code("member", q)), "client_id", d.id()))
	wantTokens(t, "a code", ts)
	if got := l.access(ts.AccessToken).ClientID; got != d.id() {
		t.Errorf("the token is of client %q", got)
	}
	d.handle(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "gone", http.StatusGone) })
	wantTokens(t, "a refresh while the document is gone", l.token(altered(l.refreshing(ts.RefreshToken), "client_id", d.id())))
	l.later(10*time.Minute - time.Second)
	if r := l.authorize(q); r.StatusCode != http.StatusOK || d.asked.Load() != 1 {
		t.Errorf("within ten minutes: status %d, asked %d times", r.StatusCode, d.asked.Load())
	}
	l.later(time.Second)
	if r := l.authorize(q); r.StatusCode != http.StatusBadRequest || d.asked.Load() != 2 {
		t.Errorf("after ten minutes: status %d, asked %d times", r.StatusCode, d.asked.Load())
	}
}

// clause: E-30
func TestDocumentURL(t *testing.T) {
	t.Parallel()
	l, d := newLab(t, nil), newDocuments(t)
	d.serve("application/json", rightDocument)
	long := func(n int) string { return d.URL + "/" + strings.Repeat("p", n-len(d.URL)-1) }
	for vector, id := range map[string]string{
		"C01 http":               "http://client.test/c.json",
		"C01 another scheme":     "ftp://127.0.0.1/c.json",
		"C01 no path":            d.URL,
		"C01 root alone":         d.URL + "/",
		"C01 fragment":           d.id() + "#x",
		"C01 empty fragment":     d.id() + "#",
		"C01 user name":          strings.Replace(d.id(), "http://", "http://a@", 1),
		"C01 dot segments":       d.URL + "/a/../client.json",
		"C01 dot segment":        d.URL + "/./client.json",
		"C01 coded dot segments": d.URL + "/a/%2e%2e/client.json",
		"C01 backslash":          d.URL + `/a\client.json`,
		"C01 space":              d.URL + "/a client.json",
		"C01 space behind":       d.id() + " ",
		"C01 no ASCII":           d.URL + "/ä.json",
		"C01 upper case":         "HTTP://LOCALHOST/client.json",
		"C01 2,049 characters":   long(2049),
		"C01 513 characters":     long(513),
		"C01 no host":            "https:///client.json",
	} {
		l.later(time.Minute)
		wantPage(t, l.authorize(l.with("client_id", id)), http.StatusBadRequest)
		wantRefusal(t, vector, l.token(altered(l.redemption("x"), "client_id", id)), 401, "invalid_client")
	}
	if n := d.asked.Load(); n != 0 {
		t.Errorf("C01: %d documents were asked for", n)
	}
	d.handle(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"client_id":"%s%s","redirect_uris":["%s"]}`, d.URL, r.URL.Path, redirect)
	})
	if r := l.authorize(l.with("client_id", long(512))); r.StatusCode != http.StatusOK {
		t.Errorf("512 characters: status %d", r.StatusCode)
	}
}

// What is no right document is refused, and asked for again the next time.
//
// clause: E-30
func TestWrongDocument(t *testing.T) {
	t.Parallel()
	l, d := newLab(t, nil), newDocuments(t)
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	text := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(strings.ReplaceAll(text, "URL", d.id())))
		}
	}
	sized := func(n int) string {
		padding := n - len(strings.ReplaceAll(rightDocument, "URL", d.id()))
		return strings.Repeat(" ", padding) + rightDocument
	}
	redirecting := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/moved" {
				text(rightDocument)(w, r)
				return
			}
			http.Redirect(w, r, "/moved", status)
		}
	}
	typed := func(media string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			_, _ = w.Write([]byte(strings.ReplaceAll(rightDocument, "URL", d.id())))
		}
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for _, c := range rightDocument {
			_, _ = fmt.Fprintf(w, "%c", c)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-end:
				return
			case <-r.Context().Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	for vector, c := range map[string]struct {
		serve  http.HandlerFunc
		status int
	}{
		"C02 another id":   {text(strings.Replace(rightDocument, "URL", "URLx", 1)), 400},
		"C02 another case": {text(strings.Replace(rightDocument, "URL", strings.ToUpper(d.id()), 1)), 400},
		"C02 no id":        {text(`{"redirect_uris":["http://127.0.0.1/callback"]}`), 400},
		"C05 301":          {redirecting(301), 400},
		"C05 302":          {redirecting(302), 400},
		"C05 307":          {redirecting(307), 400},
		"C05 404":          {http.NotFound, 400},
		"C05 500":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, 503},
		"C05 429":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }, 503},
		"C05 cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			cutReply(w)
		}, 503},
		"C05 6 kB":               {text(sized(6000)), 400},
		"C05 5,121 bytes":        {text(sized(5121)), 400},
		"C05 slow drip":          {drip, 503},
		"C05 text/html":          {typed("text/html"), 400},
		"C05 no type":            {typed(""), 400},
		"C05 duplicate members":  {text(strings.Replace(rightDocument, "{", `{"client_id":"URL",`, 1)), 400},
		"C05 trailing bytes":     {text(rightDocument + "{}"), 400},
		"C05 no object":          {text(`["URL"]`), 400},
		"C05 no redirects":       {text(`{"client_id":"URL"}`), 400},
		"C05 a wrong redirect":   {text(`{"client_id":"URL","redirect_uris":["http://example.com/cb"]}`), 400},
		"C06 client_secret":      {text(strings.Replace(rightDocument, "{", `{"client_secret":"s",`, 1)), 400},
		"C06 client_secret_post": {text(strings.Replace(rightDocument, "{", `{"token_endpoint_auth_method":"client_secret_post",`, 1)), 400},
		"C06 private_key_jwt":    {text(strings.Replace(rightDocument, "{", `{"token_endpoint_auth_method":"private_key_jwt",`, 1)), 400},
	} {
		l.later(11 * time.Minute)
		d.handle(c.serve)
		before := d.asked.Load()
		r := l.authorize(l.with("client_id", d.id()))
		if r.StatusCode != c.status || d.asked.Load() != before+1 {
			t.Errorf("%s: status %d after %d requests, want %d after 1", vector, r.StatusCode, d.asked.Load()-before, c.status)
		}
		d.handle(text(sized(5120)))
		if r := l.authorize(l.with("client_id", d.id())); r.StatusCode != http.StatusOK {
			t.Errorf("%s, and then right: status %d", vector, r.StatusCode)
		}
	}
	for _, never := range []string{"client.json", d.Listener.Addr().String(), "ERROR", `"msg":"request"`, "msg=request"} {
		if strings.Contains(l.logged(), never) {
			t.Errorf("%s is logged of other people's documents:\n%s", never, l.logged())
		}
	}
	for _, media := range []string{"application/json; charset=utf-8", "application/oauth-client+json"} {
		l.later(11 * time.Minute)
		d.handle(typed(media))
		if r := l.authorize(l.with("client_id", d.id())); r.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", media, r.StatusCode)
		}
	}
}

// No name leads to an address that is not public, whichever of its addresses is
// tried, and whenever it changes: each connection is judged.
//
// clause: E-30
func TestDocumentAddress(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			conn.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	pool := pgtest.Database(t, "broker")
	for _, addresses := range [][]string{
		{"127.0.0.1"}, {"127.255.255.254"}, {"10.0.0.1"}, {"172.16.0.1"}, {"192.168.0.1"}, {"169.254.169.254"}, {"0.0.0.0"}, {"100.64.0.1"},
		{"::1"}, {"fd00::1"}, {"fe80::1"}, {"::ffff:127.0.0.1"}, {"::"}, {"64:ff9b::7f00:1"}, {"127.0.0.1", "::1"}, {"10.0.0.1", "127.0.0.1"},
	} {
		t.Run("C03 "+strings.Join(addresses, " and "), func(t *testing.T) {
			t.Parallel()
			l := newLabOn(t, pool, func(c *broker.Config) {
				c.Development, c.Issuer, c.Resource = false, "https://broker.example.org", "https://broker.example.org/mcp"
				c.Upstream.Issuer = "https://login.example.org"
			}, func(o *broker.Options) { o.Resolver = resolver(addresses...) })
			for _, host := range []string{"client.example.org", "localhost.", strings.Trim(literal(addresses[0]), " ")} {
				id := "https://" + host + ":" + port + "/client.json"
				q := url.Values{"client_id": {id}}
				if r := l.authorize(q); r.StatusCode != http.StatusBadRequest {
					t.Errorf("%s: status %d", id, r.StatusCode)
				}
			}
			if n := strings.Count(l.logged(), "not a public address"); n != 3 {
				t.Errorf("refused for their addresses: %d of 3\n%s", n, l.logged())
			}
			if strings.Contains(l.logged(), "client.json") {
				t.Errorf("what was refused is logged:\n%s", l.logged())
			}
		})
	}
	t.Cleanup(func() {
		if n := reached.Load(); n != 0 {
			t.Errorf("C03: %d connections were made", n)
		}
	})
}

// literal is an address as it stands in a URL.
func literal(address string) string {
	if strings.Contains(address, ":") {
		return "[" + address + "]"
	}
	return address
}

func TestGuard(t *testing.T) {
	t.Parallel()
	for address, public := range map[string]bool{
		"8.8.8.8:443": true, "[2606:4700::1111]:443": true, "172.15.255.255:443": true, "172.32.0.0:443": true, "100.63.255.255:1": true,
		"100.128.0.0:1": true, "[::ffff:8.8.8.8]:443": true,
		"172.31.255.255:443": false, "100.127.255.255:1": false, "192.0.2.1:1": false, "198.18.0.1:1": false, "224.0.0.1:1": false,
		"255.255.255.255:1": false, "240.0.0.1:1": false, "0.1.2.3:1": false, "[2002:7f00:1::]:1": false, "[ff02::1]:1": false,
		"[2001:db8::1]:1": false, "[::ffff:10.0.0.1]:1": false, "[fec0::1]:1": false, "[64:ff9b::a00:1]:1": false, "[2001::1]:1": false, "nonsense": false,
	} {
		if err := broker.Guard(false)("tcp", address, nil); (err == nil) != public {
			t.Errorf("%s: %v, want it public: %t", address, err, public)
		}
	}
	for address, allowed := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "10.0.0.1:1": false, "169.254.169.254:80": false} {
		if err := broker.Guard(true)("tcp", address, nil); (err == nil) != allowed {
			t.Errorf("in development, %s: %v, want it allowed: %t", address, err, allowed)
		}
	}
}

// One address does not make the broker ask for documents without end.
//
// clause: E-30
func TestDocumentRate(t *testing.T) {
	t.Parallel()
	l, d := newLab(t, nil), newDocuments(t)
	d.handle(http.NotFound)
	for i := range 30 {
		if r := l.authorize(l.with("client_id", fmt.Sprintf("%s/%d", d.URL, i))); r.StatusCode != http.StatusBadRequest {
			t.Fatalf("request %d: status %d", i+1, r.StatusCode)
		}
	}
	r := l.authorize(l.with("client_id", d.URL+"/31"))
	wantPage(t, r, http.StatusTooManyRequests)
	if d.asked.Load() != 30 || r.Header.Get("Retry-After") != "60" {
		t.Errorf("%d documents were asked for, Retry-After %q", d.asked.Load(), r.Header.Get("Retry-After"))
	}
	l.later(time.Minute + time.Second)
	wantPage(t, l.authorize(l.with("client_id", d.URL+"/31")), http.StatusBadRequest)
}
