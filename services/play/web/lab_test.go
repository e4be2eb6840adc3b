package web_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/web"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// lab is a site over a database of its own, with four people: the game master
// "gm", the player "player", and two strangers to both, "othergm" and "other".
type lab struct {
	t           *testing.T
	pool        *pgxpool.Pool
	config      web.Config
	site        *web.Site
	people      map[string]account.Account
	assignments *assignment.Service
	scenarios   *scenario.Service
	log         *logged
	cookies     map[string]string // of who has logged in
}

// password is everybody's.
const password = "a long enough password"

var people = []string{"gm", "player", "othergm", "other"}

// logged is what a site logs.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{t: t, pool: pgtest.Database(t, "play"), people: map[string]account.Account{}, log: &logged{}, cookies: map[string]string{}}
	accounts := account.New(account.Config{Pool: l.pool, Now: time.Now})
	l.scenarios = scenario.New(scenario.Config{Pool: l.pool, Now: time.Now})
	l.assignments = assignment.New(assignment.Config{Pool: l.pool, Now: time.Now})
	l.config = web.Config{
		Accounts: accounts, Scenarios: l.scenarios, Assignments: l.assignments,
		Wiki:      wiki.New(wiki.Config{Pool: l.pool, Now: time.Now}),
		Chronicle: chronicle.New(chronicle.Config{Pool: l.pool}),
		Origin:    "http://play.test", PlayURL: "http://play.test/play/mcp", AuthorURL: "http://play.test/mcp",
		Log: slog.New(slog.NewTextHandler(l.log, nil)),
	}
	l.site = web.New(l.config)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(l.log)
		}
	})
	for _, name := range people {
		a, err := accounts.Create(t.Context(), account.NewAccount{
			Username: name, DisplayName: "The " + name, Language: "en", Password: password,
		})
		if err != nil {
			t.Fatal(err)
		}
		l.people[name] = a
	}
	return l
}

// anonymous is a browser that nobody has logged in with.
func (l *lab) anonymous() *browser {
	return &browser{t: l.t, site: l.site, cookies: map[string]string{}}
}

// as is a browser of somebody who has logged in, in a language.
func (l *lab) as(name, language string) *browser {
	l.t.Helper()
	if err := l.config.Accounts.SetLanguage(l.t.Context(), l.people[name].ID, language); err != nil {
		l.t.Fatal(err)
	}
	if l.cookies[name] == "" {
		cookie, _, err := l.config.Accounts.Login(l.t.Context(), name, password, "192.0.2.1")
		if err != nil {
			l.t.Fatal(err)
		}
		l.cookies[name] = cookie
	}
	b := l.anonymous()
	b.cookies["pharos_login"] = l.cookies[name]
	return b
}

// words that only a game master may see.
const (
	secretNotes = "CANARY-NOTES-of-the-game-master"
	secretNode  = "CANARY-NODE-notes"
	hiddenNode  = "CANARY-UNPUBLISHED-node"
	secretWiki  = "CANARY-WIKI-page"
)

// played is a play that has begun.
type played struct {
	scenario, id uuid.UUID
	seat         assignment.Seat
	version      int64
}

// play makes a scenario of the game master with two scenes, of which one is
// published, and a play of it for the player.
func (l *lab) play(texts string) *played {
	l.t.Helper()
	ctx, gm := l.t.Context(), l.people["gm"].ID
	p := &played{scenario: uuid.New(), id: uuid.New(), version: 1}
	check := func(err error) {
		l.t.Helper()
		if err != nil {
			l.t.Fatal(err)
		}
	}
	_, err := l.scenarios.Create(ctx, gm, scenario.NewScenario{ID: p.scenario, Title: "The lamp " + short(texts), Summary: texts, Language: "en"})
	check(err)
	_, err = l.scenarios.CreateNode(ctx, gm, p.scenario, 1, scenario.NewNode{
		ID: "harbor", Kind: scenario.Scene, Title: "Harbour " + short(texts), Body: "Boats. " + texts,
		GMNotes: secretNode + texts,
	})
	check(err)
	_, err = l.scenarios.CreateNode(ctx, gm, p.scenario, 1, scenario.NewNode{
		ID: "vault", Kind: scenario.Scene, Title: hiddenNode, Body: hiddenNode, GMNotes: secretNode,
	})
	check(err)
	_, err = l.scenarios.Publish(ctx, gm, p.scenario, 1, 3)
	check(err)
	_, _, err = l.assignments.Create(ctx, gm, assignment.NewAssignment{
		ID: p.id, ScenarioID: p.scenario, SourceVersion: 1, PlayerUsername: "player", Mode: assignment.Solo,
		Language:  "en",
		Character: "Arin " + texts, Brief: "Find Mira. " + texts, Instructions: "Be kind. " + texts,
		Boundaries:      "No gore. " + texts,
		ReturnCondition: "At dawn. " + texts, GMNotes: secretNotes + texts, PublishedNodeIDs: []string{"harbor"},
		AutoApprove: []string{},
	})
	check(err)
	p.seat = assignment.Seat{AssignmentID: p.id, PlayerID: l.people["player"].ID, Language: "en"}
	return p
}

// short is what of a text fits a title.
func short(texts string) string {
	line, _, _ := strings.Cut(texts, "\n")
	return line
}

// turn plays a turn with consequences.
func (l *lab) turn(p *played, texts string, effects ...string) {
	l.t.Helper()
	t := assignment.Turn{
		OperationID: uuid.New(), ExpectedVersion: p.version, PlayerAction: "I look around. " + texts,
		Narration: "You see the lamp. " + texts,
		Memory:    "# Current state\n\nAt the pier. " + texts, CurrentScene: "harbor",
	}
	for _, e := range effects {
		t.Consequences = append(t.Consequences, assignment.Effect{Category: "discovery", Description: e})
	}
	r, err := l.assignments.Commit(context.WithoutCancel(l.t.Context()), p.seat, t)
	if err != nil {
		l.t.Fatal(err)
	}
	p.version = r.Version
}

func (p *played) url() string { return "/plays/" + p.id.String() + "/" }

func (p *played) versionURL() string { return "/scenarios/" + p.scenario.String() + "/versions/1/" }

var _ http.Handler = (*web.Site)(nil)
