package platform_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/token"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/apifuzz"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

var (
	fuzzRequests = flag.Int("api-requests", 2000, "how many requests TestAgainstDocument sends")
	fuzzSeed     = flag.Uint64("api-seed", 1, "the seed that TestAgainstDocument draws them from")
)

// TestAgainstDocument sends requests that are drawn from the API's description
// to the whole service with its executor, and holds every reply against it. It
// reaches a success of every operation.
//
// clause: E-40, E-41, E-42
func TestAgainstDocument(t *testing.T) {
	t.Parallel()
	document, err := apifuzz.Load(os.DirFS("../../api/platform"), "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := newFuzzed(t)
	report, err := apifuzz.Run(apifuzz.Config{
		Document: document, Seed: *fuzzSeed, Requests: *fuzzRequests, Actors: f.actors, Origin: f.server.URL, Send: f.send,
		Skip: []string{"streamEvents"}, // it does not end
		First: []string{
			"getMyParty", "createProject", "createPipeline", "deletePipeline", "createPipeline", "publishPipeline", "submitRun",
			"createPipeline", "publishPipeline", "submitRun", "cancelRun", "createPipeline", "publishPipeline", "submitRun",
			"submitRun", "cancelRun", "setProjectMember", "createSupportTicket", "addSshKey", "listHpcQueues", "listAupVersions",
			"createAccessToken",
		},
		Ending:  []string{"archiveProject", "retirePipeline", "closeSupportTicket"},
		Rare:    []string{"login", "logout", "register", "changePassword"},
		Aliases: map[string]string{"assignee": "parties", "requester": "parties", "queue": "queues"},
		Shared:  []string{"parties"},
		Tune: map[string]func(*rand.Rand, *apifuzz.Memory, *apifuzz.Actor, map[string]any){
			"addSshKey": tuneKey, "validateSshKey": tuneKey, "createPipeline": tunePipeline, "revisePipeline": tunePipeline,
			"submitRun": tuneRun, "assignSupportTicket": f.tuneAssignee, "login": tuneLogin, "changePassword": f.tunePassword,
			"acceptAup": tuneConsent, "createAccessToken": tuneToken,
		},
		Excused: func(op, title string) bool {
			return op == "createAccessToken" && strings.HasPrefix(title, "a token lasts") // the time is not always tuned
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d, %d requests\n%s", report.Seed, report.Sent, report.Table())
	for _, failure := range report.Failures {
		t.Errorf("seed %d, %v", report.Seed, failure)
	}
	if ops := report.Unreached(); len(ops) > 0 && len(report.Failures) == 0 {
		t.Errorf("seed %d: no success of %v", report.Seed, ops)
	}
}

const (
	passwordA = "correct horse battery staple"
	passwordB = "staple battery horse correct"
)

// sessionOnly are the operations that take no token.
var sessionOnly = []string{
	"getSession", "logout", "changePassword", "acceptAup", "listAccessTokens", "createAccessToken", "deleteAccessToken",
}

// fuzzed is the service that is tried, with its users.
type fuzzed struct {
	t      *testing.T
	pool   *pgxpool.Pool
	server *httptest.Server
	actors []*apifuzz.Actor
	otto   string // the party of the operator
	users  int
	// What cleo's requests carry; nil before a login. It is used by the run
	// alone, one request after the other.
	session  map[string]string
	password string // that of the last login
}

func newFuzzed(t *testing.T) *fuzzed {
	t.Helper()
	pool := pgtest.Database(t, "platform")
	service, err := platform.New(platform.Config{Pool: pool, Slots: 2, Delegation: delegation()})
	if err != nil {
		t.Fatal(err)
	}
	public, private := service.Handler(), service.PrivateHandler()
	f := &fuzzed{t: t, pool: pool}
	f.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/internal/") {
			private.ServeHTTP(w, r)
			return
		}
		public.ServeHTTP(w, r)
	}))
	t.Cleanup(f.server.Close)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { service.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })

	if _, err := f.parties().Publish(t.Context(), "Acceptable use", "Research only.", time.Now()); err != nil {
		t.Fatal(err)
	}
	_, ada := f.user("ada", false)
	_, bob := f.user("bob", false)
	otto, operator := f.user("otto", true)
	_, eve := f.user("eve", false, "projects:read", "runs:read")
	f.user("cleo", false)
	f.otto = otto
	withSession := append([]string{"register"}, sessionOnly...)
	cleos := append([]string{"listProjects", "updateMyParty"}, sessionOnly...)
	f.actors = []*apifuzz.Actor{
		{Name: "ada", Weight: 66, Header: ada, Except: withSession},
		{Name: "bob", Weight: 12, Header: bob, Except: withSession},
		{Name: "otto, an operator", Weight: 16, Header: operator, Except: withSession},
		{Name: "eve, who may read little", Weight: 2, Header: eve, Except: withSession},
		{Name: "nobody", Weight: 2},
		{Name: "somebody with a wrong token", Weight: 1, Header: func() map[string]string {
			return map[string]string{"Authorization": "Bearer pharos_pat_" + strings.Repeat("a", 59)}
		}},
		{Name: "cleo, with a session", Weight: 60, Header: f.cleo, Only: cleos},
		{Name: "the broker", Weight: 20, Header: asking, Only: []string{"resolveIdentity"}},
		{Name: "a newcomer", Weight: 20, Header: f.newcomer, Only: []string{"register"}},
	}
	return f
}

func (f *fuzzed) parties() *party.Service { return party.New(party.Config{Pool: f.pool}) }

func (f *fuzzed) access() *access.Service {
	f.t.Helper()
	a, err := access.New(access.Config{Pool: f.pool, Catalog: catalog.Catalog()})
	if err != nil {
		f.t.Fatal(err)
	}
	return a
}

// asking is the broker's question who ada is, which it may ask once.
func asking() map[string]string {
	c := claims(brokerIssuer, token.FamilyLogin, identityOf("ada"))
	c.IssuedAt, c.Expires = time.Now(), time.Now().Add(token.LifetimeLogin)
	return map[string]string{"Authorization": "Bearer " + must(broker.Login(token.Login{Claims: c}))}
}

// user makes a user known and gives their party, and a header with a token for
// all scopes or some.
func (f *fuzzed) user(name string, operator bool, scopes ...string) (string, func() map[string]string) {
	f.t.Helper()
	u, err := f.parties().AddUser(f.t.Context(), party.NewUser{
		Username: name, Password: passwordA, Operator: operator, AcceptPolicy: true,
		Profile: &party.Profile{DisplayName: name, Email: name + "@example.org"},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	p := access.Principal{Party: u.Party, Operator: u.Operator, AuthVersion: u.AuthVersion}
	a := f.access()
	if len(scopes) == 0 {
		scopes = a.Scopes(p)
	}
	_, token, err := a.CreateToken(f.t.Context(), p, "test", scopes, time.Now().Add(24*time.Hour))
	if err != nil {
		f.t.Fatal(err)
	}
	return u.Party.String(), func() map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
}

// login begins a session with one of the two passwords. It goes past the bound
// on logins.
func (f *fuzzed) login(name string) (header map[string]string, password string) {
	for _, password := range []string{passwordA, passwordB} {
		grant, err := f.access().Login(f.t.Context(), name, password, "127.0.0.1", nil)
		if err == nil {
			return map[string]string{"Cookie": "pharos_session=" + grant.Cookie, access.CSRFHeader: grant.CSRF}, password
		}
	}
	f.t.Fatalf("no login of %s", name)
	return nil, ""
}

func (f *fuzzed) cleo() map[string]string {
	if f.session == nil {
		f.session, f.password = f.login("cleo")
	}
	return f.session
}

// newcomer is another person each time.
func (f *fuzzed) newcomer() map[string]string {
	f.users++
	name := fmt.Sprintf("newcomer%d", f.users)
	if _, err := f.parties().AddUser(f.t.Context(), party.NewUser{Username: name, Password: passwordA}); err != nil {
		f.t.Fatal(err)
	}
	header, _ := f.login(name)
	return header
}

// send sends a request of the run, and lets cleo log in again where she is no
// longer.
func (f *fuzzed) send(r *http.Request) (*http.Response, error) {
	reply, err := f.server.Client().Transport.RoundTrip(r)
	if err == nil && r.Header.Get("Cookie") != "" &&
		(reply.StatusCode == http.StatusUnauthorized || reply.Header.Get("Set-Cookie") != "") {
		f.session = nil
	}
	return reply, err
}

func tuneKey(r *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
	seed := make([]byte, ed25519.SeedSize)
	binary.LittleEndian.PutUint64(seed, r.Uint64())
	public, _ := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	blob := binary.BigEndian.AppendUint32(nil, 11)
	blob = append(blob, "ssh-ed25519"...)
	blob = binary.BigEndian.AppendUint32(blob, uint32(len(public)))
	body["public_key"] = "ssh-ed25519 " + base64.StdEncoding.EncodeToString(append(blob, public...)) + " laptop"
}

// tunePipeline makes names differ, texts refer to nothing that is not declared,
// and steps short.
func tunePipeline(r *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
	definition, ok := body["definition"].(map[string]any)
	if !ok {
		return
	}
	parameters, _ := definition["parameters"].([]any)
	for i, p := range parameters {
		p.(map[string]any)["name"] = fmt.Sprintf("p%d", i)
	}
	steps, _ := definition["steps"].([]any)
	for i, s := range steps {
		step := s.(map[string]any)
		step["name"] = fmt.Sprintf("step-%d", i)
		for _, name := range []string{"text", "message"} {
			if text, ok := step[name].(string); ok {
				step[name] = strings.ToValidUTF8(strings.ReplaceAll(text[:min(len(text), 40)], "$", ""), "")
				if !strings.HasPrefix(text, "$") || len(parameters) == 0 {
					continue
				}
				step[name] = "${p0}"
			}
		}
		if step["kind"] == "wait" {
			step["milliseconds"] = float64(1 + r.IntN(20)*r.IntN(20))
		}
		if step["kind"] == "hash" {
			step["rounds"] = float64(1 + r.IntN(100))
		}
	}
	definition["steps"] = steps[:min(len(steps), 1+r.IntN(8))]
}

// tuneRun submits a version that is published, with values for what it
// declares.
func tuneRun(r *rand.Rand, m *apifuzz.Memory, by *apifuzz.Actor, body map[string]any) {
	for range 20 {
		id := m.Pick(r, "pipelines", by)
		pipeline := m.Things["pipelines"][id]
		definition, _ := pipeline["definition"].(map[string]any)
		if definition == nil || pipeline["state"] == "retired" {
			continue
		}
		// What is published may not have been seen.
		published, _ := pipeline["published_version"].(float64)
		body["pipeline_id"], body["version"] = id, max(1, published)
		parameters, values := definition["parameters"], map[string]any{}
		list, _ := parameters.([]any)
		for _, p := range list {
			values[p.(map[string]any)["name"].(string)] = "value"
		}
		body["parameters"] = values
		if len(list) == 0 {
			delete(body, "parameters")
		}
		body["queue"] = []string{"debug", "short", "long", "gpu"}[r.IntN(4)]
		return
	}
}

func (f *fuzzed) tuneAssignee(_ *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
	body["assignee_id"] = f.otto
}

func tuneLogin(r *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
	body["username"], body["password"] = []string{"ada", "bob", "otto", "eve"}[r.IntN(4)], passwordA
}

func (f *fuzzed) tunePassword(_ *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
	f.cleo() // who then knows which one it is
	body["current"], body["replacement"] = passwordA, passwordB
	if f.password == passwordB {
		body["current"], body["replacement"] = passwordB, passwordA
	}
}

func tuneConsent(_ *rand.Rand, m *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
	for _, version := range m.Things["versions"] {
		if version["current"] == true {
			body["version"], body["digest"] = version["version"], version["digest"]
		}
	}
}

func tuneToken(r *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
	body["expires_at"] = time.Now().Add(time.Hour * time.Duration(1+r.IntN(7200))).UTC().Format(time.RFC3339)
	if scopes, ok := body["scopes"].([]any); ok {
		body["scopes"] = slices.DeleteFunc(scopes, func(s any) bool { return s == "support:admin" })
		if len(body["scopes"].([]any)) == 0 {
			body["scopes"] = []any{"projects:read"}
		}
	}
}
