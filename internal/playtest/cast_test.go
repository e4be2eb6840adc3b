package playtest

import (
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/internal/secret"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// everybodysPassword is that of all people of a cast.
const everybodysPassword = "correct horse battery staple"

// cast is people with what they have, in a database of their own, and the
// services by which a test gives them more.
type cast struct {
	database    string
	pool        *pgxpool.Pool
	accounts    *account.Service
	scenarios   *scenario.Service
	wiki        *wiki.Service
	assignments *assignment.Service
	people      map[string]account.Account
	owns        map[string]*owned
	plays       map[string]*played
	marks       *marks
}

// owned is what an author has: a scenario whose version 1 is published and
// whose version 2 is a draft, and a token.
type owned struct {
	scenario uuid.UUID
	hidden   string // a scene of version 1 that no play publishes
	drafted  string // a scene of version 2
	page     string // of the wiki
	token    string
}

// played is an assignment with its play token.
type played struct {
	id         uuid.UUID
	gm, player string
	seat       assignment.Seat
	token      string
}

func newCast(t *testing.T) *cast {
	t.Helper()
	database := pgtest.URL(t, "play")
	pool := pgtest.Pool(t, database)
	return &cast{
		database: database, pool: pool,
		accounts:    account.New(account.Config{Pool: pool}),
		scenarios:   scenario.New(scenario.Config{Pool: pool, Now: time.Now}),
		wiki:        wiki.New(wiki.Config{Pool: pool, Now: time.Now}),
		assignments: assignment.New(assignment.Config{Pool: pool, Now: time.Now}),
		people:      map[string]account.Account{}, owns: map[string]*owned{}, plays: map[string]*played{}, marks: &marks{},
	}
}

// ok fails a test whose preparation fails.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c *cast) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := c.pool.Exec(context.WithoutCancel(t.Context()), sql, args...)
	ok(t, err)
}

// person makes an account, whose names those who know it see.
func (c *cast) person(t *testing.T, role string, known ...string) {
	t.Helper()
	seen := append(known, role)
	a, err := c.accounts.Create(t.Context(), account.NewAccount{
		Username: c.marks.new("the username of "+role, seen...), DisplayName: c.marks.new("the name of "+role, seen...),
		Language: "en", Password: everybodysPassword,
	})
	ok(t, err)
	c.people[role] = a
}

// author gives somebody scenarios, a wiki and a token. cast are the readers of
// what the published nodes of the scenario say: players and their facilitators.
func (c *cast) author(t *testing.T, role string, readers ...string) {
	t.Helper()
	ctx, id := t.Context(), c.people[role].ID
	own := []string{role, "author " + role}
	shown := append(append([]string{}, own...), readers...)
	mark := func(what string) string { return c.marks.new(what+" of "+role, own...) }
	o := &owned{scenario: uuid.New(), hidden: mark("the slug of an unpublished node")}
	o.drafted, o.page = mark("the slug of a draft's node"), mark("the slug of a wiki page")
	c.owns[role] = o
	_, err := c.scenarios.Create(ctx, id, scenario.NewScenario{
		ID: o.scenario, Title: c.marks.new("the title of a scenario of "+role, shown...), Summary: mark("a summary"), Language: "en",
	})
	ok(t, err)
	for _, n := range []scenario.NewNode{
		{
			ID: "harbor", Kind: scenario.Scene, Title: c.marks.new("a scene of "+role, shown...),
			Body: c.marks.new("the body of a scene of "+role, shown...), GMNotes: mark("the notes of a scene"),
		},
		{
			ID: "mira", Kind: scenario.NPC, Title: c.marks.new("an NPC of "+role, shown...),
			Body: c.marks.new("the body of an NPC of "+role, shown...), GMNotes: mark("the notes of an NPC"),
		},
		{
			ID: o.hidden, Kind: scenario.Scene, Title: mark("the title of an unpublished node"),
			Body: mark("the body of an unpublished node"), GMNotes: mark("the notes of an unpublished node"),
		},
	} {
		_, err := c.scenarios.CreateNode(ctx, id, o.scenario, 1, n)
		ok(t, err)
	}
	_, err = c.scenarios.Publish(ctx, id, o.scenario, 1, 4)
	ok(t, err)
	_, err = c.scenarios.NewVersion(ctx, id, o.scenario, 1)
	ok(t, err)
	_, err = c.scenarios.CreateNode(ctx, id, o.scenario, 2, scenario.NewNode{
		ID: o.drafted, Kind: scenario.Scene, Title: mark("the title of a draft's node"),
		Body: mark("the body of a draft's node"), GMNotes: mark("the notes of a draft's node"),
	})
	ok(t, err)
	_, err = c.scenarios.Create(ctx, id, scenario.NewScenario{
		ID: uuid.New(), Title: mark("the title of a draft"), Summary: mark("the summary of a draft"), Language: "pl",
	})
	ok(t, err)
	_, err = c.wiki.Create(ctx, id, o.page, mark("the title of a wiki page"), mark("the body of a wiki page"))
	ok(t, err)
	o.token, _, err = c.accounts.IssueToken(ctx, id, uuid.New(), c.marks.new("the name of a token of "+role, role))
	ok(t, err)
}

// play gives a player a part of a game master's scenario, in which two turns are
// played and one consequence is decided.
func (c *cast) play(t *testing.T, name, gm, player string) *played {
	t.Helper()
	ctx := t.Context()
	shared := func(what string) string { return c.marks.new(what+" of play "+name, gm, player, "seat "+name) }
	a, _, err := c.assignments.Create(ctx, c.people[gm].ID, assignment.NewAssignment{
		ID: uuid.New(), ScenarioID: c.owns[gm].scenario, SourceVersion: 1, PlayerUsername: c.people[player].Username,
		Mode: assignment.Absence, Language: "en", Character: shared("the character"), Brief: shared("the brief"),
		Instructions: shared("the instructions"), Boundaries: shared("the boundaries"), ReturnCondition: shared("the return"),
		GMNotes: c.marks.new("the game master's notes of play "+name, gm), PublishedNodeIDs: []string{"harbor", "mira"},
		AutoApprove: []string{},
	})
	ok(t, err)
	p := &played{id: a.ID, gm: gm, player: player}
	p.seat = assignment.Seat{AssignmentID: a.ID, PlayerID: c.people[player].ID, Language: "en"}
	c.plays[name] = p
	p.token, _, err = c.assignments.GenerateToken(ctx, c.people[player].ID, a.ID)
	ok(t, err)
	turn := assignment.Turn{
		OperationID: uuid.New(), ExpectedVersion: 1, PlayerAction: shared("an action"), Narration: shared("a narration"),
		Memory: c.marks.new("the memory before, of play " + name), CurrentScene: "harbor", Consequences: []assignment.Effect{
			{Category: "discovery", Description: shared("a consequence")}, {Category: "resource", Description: shared("a pending consequence")},
		},
	}
	receipt, err := c.assignments.Commit(ctx, p.seat, turn)
	ok(t, err)
	turn.OperationID, turn.ExpectedVersion, turn.Memory, turn.Consequences = uuid.New(), 2, shared("the memory"), nil
	_, err = c.assignments.Commit(ctx, p.seat, turn)
	ok(t, err)
	_, err = c.assignments.Review(ctx, c.people[gm].ID, a.ID, assignment.Decisions{
		OperationID: uuid.New(), ExpectedVersion: 3, List: []assignment.Decision{
			{ID: receipt.Consequences[0].ID, Decision: "rejected", Note: shared("the note of a decision")},
		},
	})
	ok(t, err)
	return p
}

// cookieForm is that of the secrets of login sessions.
const cookieForm = secret.Cookie("pharos_login_")

// session logs somebody in without asking for the password, and gives the cookie.
func (c *cast) session(t *testing.T, role string) string {
	t.Helper()
	cookie := cookieForm.New()
	c.exec(t, `INSERT INTO play.login (digest, account_id, created_at, seen_at, expires_at)
		VALUES ($1, $2, now(), now(), now() + interval '1 hour')`, secret.Digest(cookie), c.people[role].ID)
	return cookie
}

// marks are texts that are nowhere else, each with those who may see it.
type marks struct{ all []mark }

type mark struct {
	text, what string
	seen       map[string]bool // by whom
}

// new makes one, of small letters and digits, a letter first: it may be part of
// any text, and looks the same wherever it is escaped.
func (m *marks) new(what string, by ...string) string {
	one := mark{text: "z" + strings.ToLower(rand.Text()[:15]), what: what, seen: map[string]bool{}}
	for _, who := range by {
		one.seen[who] = true
	}
	m.all = append(m.all, one)
	return one.text
}

// leaked gives what stands in a text that somebody may not see and has not said
// themselves. The log may see nothing.
func (m *marks) leaked(text, by, said string) (what []string) {
	text = strings.ToLower(text)
	for _, one := range m.all {
		if !one.seen[by] && strings.Contains(text, one.text) && !strings.Contains(said, one.text) {
			what = append(what, one.what)
		}
	}
	return what
}

// shown takes note of what a text shows to somebody who may see it.
func (m *marks) shown(text, by string, to map[string]bool) {
	for _, one := range m.all {
		if one.seen[by] && strings.Contains(text, one.text) {
			to[one.what] = true
		}
	}
}
