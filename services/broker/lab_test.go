package broker_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
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
		Issuer: login.URL, ClientID: "broker", Redirect: front.URL + "/callback", Now: l.clock, Fault: l.fault,
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

// fault is how the provider misbehaves at the moment.
func (l *lab) fault() devidp.Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *l.provider
}

// misbehave makes the provider do so.
func (l *lab) misbehave(f devidp.Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*l.provider = f
}

// later moves the time of everything.
func (l *lab) later(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(d)
}
