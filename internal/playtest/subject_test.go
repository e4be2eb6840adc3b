package playtest

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// subject is what a request is about: a play, and what its game master owns. The
// other members spoil the request in one way each.
type subject struct {
	*cast
	t       *testing.T
	play    *played
	text    string // what is written into what must not be blank
	stale   bool   // versions and revisions are old
	unknown bool   // what is named does not exist
	taken   bool   // what is made has the identifier of what others have
	reads   string // which node, if it is not the unpublished one, and "draft" is all of the draft
}

// about is a request about a play that is as it should be.
func (c *cast) about(t *testing.T, play string) subject {
	t.Helper()
	return subject{cast: c, t: t, play: c.plays[play], text: "A text."}
}

func (s subject) owner() uuid.UUID { return s.people[s.play.gm].ID }

// id is an identifier, or that of nothing.
func (s subject) id(id uuid.UUID) string {
	if s.unknown {
		return uuid.NewString()
	}
	return id.String()
}

// slug is like id.
func (s subject) slug(slug string) string {
	if s.unknown {
		return "nothing"
	}
	return slug
}

// number is a version or a revision that is expected, or an old one.
func (s subject) number(n int64) int64 {
	if s.stale {
		return n + 7
	}
	return n
}

// fresh is the identifier of something that is to be made.
func (s subject) fresh(taken uuid.UUID) string {
	if s.taken {
		return taken.String()
	}
	return uuid.NewString()
}

// freshSlug is like fresh.
func (s subject) freshSlug(taken string) string {
	if s.taken {
		return taken
	}
	return "s" + uuid.NewString()
}

func (s subject) playURL() string  { return "/plays/" + s.id(s.play.id) + "/" }
func (s subject) playAPI() string  { return "/api/plays/" + s.id(s.play.id) + "/" }
func (s subject) storyURL() string { return "/scenarios/" + s.scenario() + "/" }

func (s subject) scenario() string { return s.id(s.owns[s.play.gm].scenario) }

// reading is the version and the node that are looked at.
func (s subject) reading() (version int, node string) {
	switch o := s.owns[s.play.gm]; s.reads {
	case "":
		return 1, s.slug(o.hidden)
	case "draft":
		return 2, s.slug(o.drafted)
	}
	return 1, s.reads
}

func (s subject) readVersion() int { version, _ := s.reading(); return version }
func (s subject) readNode() string { _, node := s.reading(); return node }

// readPage is the page of the wiki that is looked at.
func (s subject) readPage() string {
	if s.reads == "draft" {
		return s.owns[s.play.gm].page
	}
	return s.page()
}

func (s subject) versionURL(n int) string { return fmt.Sprintf("%sversions/%d/", s.storyURL(), n) }

// version is the narrative version of the play, which goes on from where the
// last request has ended it.
func (s subject) version() (n int64) {
	s.t.Helper()
	s.exec(s.t, "UPDATE play.assignment SET status = 'active', summary = NULL WHERE id = $1", s.play.id)
	ok(s.t, s.pool.QueryRow(s.t.Context(), "SELECT version FROM play.assignment WHERE id = $1", s.play.id).Scan(&n))
	return n
}

// waiting makes a consequence that waits for a decision, and gives it with the
// version of the play.
func (s subject) waiting() (consequence string, version int64) {
	s.t.Helper()
	var memory string // it stays
	ok(s.t, s.pool.QueryRow(s.t.Context(), "SELECT memory FROM play.assignment WHERE id = $1", s.play.id).Scan(&memory))
	r, err := s.assignments.Commit(s.t.Context(), s.play.seat, assignment.Turn{
		OperationID: uuid.New(), ExpectedVersion: s.version(), PlayerAction: "x", Narration: "x", Memory: memory, CurrentScene: "harbor",
		Consequences: []assignment.Effect{{Category: "resource", Description: "x"}},
	})
	ok(s.t, err)
	return s.id(r.Consequences[0].ID), s.number(r.Version)
}

// draft makes a scenario whose version 1 is a draft with one scene.
func (s subject) draft() (id uuid.UUID, revision int64) {
	s.t.Helper()
	const drafts = "(SELECT id FROM play.scenario AS s WHERE title = 'x' AND NOT EXISTS " +
		"(SELECT FROM play.scenario_version AS v WHERE v.scenario_id = s.id AND v.status = 'published'))"
	for _, where := range []string{"node WHERE scenario_id", "scenario_version WHERE scenario_id", "scenario WHERE id"} {
		s.exec(s.t, "DELETE FROM play."+where+" IN "+drafts)
	}
	id = uuid.New()
	_, err := s.scenarios.Create(s.t.Context(), s.owner(), scenario.NewScenario{ID: id, Title: "x", Language: "en"})
	ok(s.t, err)
	_, err = s.scenarios.CreateNode(s.t.Context(), s.owner(), id, 1, scenario.NewNode{ID: "x", Kind: scenario.Scene, Title: "x"})
	ok(s.t, err)
	return id, 2
}

// published makes a scenario whose only version is published.
func (s subject) published() uuid.UUID {
	s.t.Helper()
	id, revision := s.draft()
	_, err := s.scenarios.Publish(s.t.Context(), s.owner(), id, 1, revision)
	ok(s.t, err)
	return id
}

// node makes a node of the draft.
func (s subject) node() string {
	s.t.Helper()
	s.exec(s.t, "DELETE FROM play.node WHERE version = 2 AND title = 'x'")
	slug := "s" + uuid.NewString()
	_, err := s.scenarios.CreateNode(s.t.Context(), s.owner(), s.owns[s.play.gm].scenario, 2,
		scenario.NewNode{ID: slug, Kind: scenario.Clue, Title: "x"})
	ok(s.t, err)
	return s.slug(slug)
}

// page makes a page of the wiki.
func (s subject) page() string {
	s.t.Helper()
	s.exec(s.t, "DELETE FROM play.wiki_page WHERE title = 'x'")
	slug := "s" + uuid.NewString()
	_, err := s.wiki.Create(s.t.Context(), s.owner(), slug, "x", "x")
	ok(s.t, err)
	return s.slug(slug)
}

// token makes a personal token, also of an account that is not active. Those
// that were made so before make room.
func (s subject) token() uuid.UUID {
	s.t.Helper()
	s.room()
	id := uuid.New()
	s.exec(s.t, `INSERT INTO play.author_token (id, account_id, digest, name, created_at, expires_at)
		VALUES ($1::uuid, $2, sha256($1::uuid::text::bytea), 'A text.', now(), now() + interval '1 day')`, id, s.owner())
	return id
}

// room deletes the personal tokens that requests have made.
func (s subject) room() {
	s.t.Helper()
	s.exec(s.t, "DELETE FROM play.author_token WHERE name IN ('A text.', $1)", s.text)
}

// visitor is somebody who has to do with nobody, for logins.
func (s subject) visitor() string {
	s.t.Helper()
	s.exec(s.t, "DELETE FROM play.login_attempt")
	if s.unknown {
		return "nobody"
	}
	return s.people["visitor"].Username
}

// ownToken is a personal token that was there before.
func (s subject) ownToken() (id uuid.UUID) {
	s.t.Helper()
	ok(s.t, s.pool.QueryRow(s.t.Context(),
		"SELECT id FROM play.author_token WHERE account_id = $1 ORDER BY created_at LIMIT 1", s.owner()).Scan(&id))
	return id
}
