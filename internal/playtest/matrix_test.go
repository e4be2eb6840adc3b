package playtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// matrix says what everybody gets of everything. The columns are who asks, by
// what is shown:
//
//	n nobody             t the play token                   a an author's token
//	o another player     u that of another session          b that of another author
//	p the player         e one that has expired             d one that has expired
//	O another GM         r one that was revoked             v one that was revoked
//	g the GM             i one whose GM is inactive         k one of an inactive account
//	G an inactive GM     j one whose player is inactive
//	P an inactive player                                    1 the GM's login beside the play token
//	x an expired login                                      2 the player's login beside the author's token
//	                                                        3 the GM's login beside an unknown token
//
// and each has: + what was asked for; . a 401; > the way to the login; 3 a 403;
// 0 a 404, which tools say in their result.
const matrix = `
                                                                     nopOgGPx tuerij abdvk 123
DELETE /api/plays/{id}/access/                                       .0+0+... ...... ..... ...
DELETE /api/session/                                                 ++++++++ ++++++ +++++ +++
GET /                                                                >++++>>> >>>>>> >>>>> >>>
GET /account/                                                        >++++>>> >>>>>> >>>>> >>>
GET /api/plays/                                                      .++++... ...... ..... ...
GET /api/plays/{id}/                                                 .0+0+... ...... ..... ...
GET /api/plays/{id}/consequences/                                    .0+0+... ...... ..... ...
GET /api/plays/{id}/journal/                                         .0+0+... ...... ..... ...
GET /api/plays/{id}/report/                                          .0+0+... ...... ..... ...
GET /api/session/                                                    .++++... ...... ..... ...
GET /healthz                                                         ++++++++ ++++++ +++++ +++
GET /login/                                                          ++++++++ ++++++ +++++ +++
GET /plays/                                                          >++++>>> >>>>>> >>>>> >>>
GET /plays/new/                                                      >000+>>> >>>>>> >>>>> >>>
GET /plays/{play}/                                                   >0+0+>>> >>>>>> >>>>> >>>
GET /plays/{play}/journal/                                           >0+0+>>> >>>>>> >>>>> >>>
GET /plays/{play}/report/                                            >0+0+>>> >>>>>> >>>>> >>>
GET /plays/{play}/review/                                            >030+>>> >>>>>> >>>>> >>>
GET /plays/{play}/token/                                             >0+0+>>> >>>>>> >>>>> >>>
GET /readyz                                                          ++++++++ ++++++ +++++ +++
GET /scenarios/                                                      >++++>>> >>>>>> >>>>> >>>
GET /scenarios/new/                                                  >++++>>> >>>>>> >>>>> >>>
GET /scenarios/{scenario}/                                           >000+>>> >>>>>> >>>>> >>>
GET /scenarios/{scenario}/versions/{version}/                        >000+>>> >>>>>> >>>>> >>>
GET /scenarios/{scenario}/versions/{version}/add/                    >000+>>> >>>>>> >>>>> >>>
GET /scenarios/{scenario}/versions/{version}/nodes/{node}/           >000+>>> >>>>>> >>>>> >>>
GET /scenarios/{scenario}/versions/{version}/nodes/{node}/delete/    >000+>>> >>>>>> >>>>> >>>
GET /scenarios/{scenario}/versions/{version}/nodes/{node}/edit/      >000+>>> >>>>>> >>>>> >>>
GET /tokens/                                                         >++++>>> >>>>>> >>>>> >>>
GET /tokens/issue/                                                   >++++>>> >>>>>> >>>>> >>>
GET /wiki/                                                           >++++>>> >>>>>> >>>>> >>>
GET /wiki/new/                                                       >++++>>> >>>>>> >>>>> >>>
GET /wiki/pages/{page}/                                              >000+>>> >>>>>> >>>>> >>>
GET /wiki/pages/{page}/delete/                                       >000+>>> >>>>>> >>>>> >>>
GET /wiki/pages/{page}/edit/                                         >000+>>> >>>>>> >>>>> >>>
POST /api/plays/                                                     .000+... ...... ..... ...
POST /api/plays/{id}/access/                                         .0+0+... ...... ..... ...
POST /api/plays/{id}/review/                                         .030+... ...... ..... ...
POST /api/session/                                                   ++++++++ ++++++ +++++ +++
POST /language/                                                      ++++++++ ++++++ +++++ +++
POST /login/                                                         ++++++++ ++++++ +++++ +++
POST /logout/                                                        >>>>>>>> >>>>>> >>>>> >>>
POST /plays/new/                                                     .000+... ...... ..... ...
POST /plays/{play}/review/                                           .030+... ...... ..... ...
POST /plays/{play}/token/                                            .0+0+... ...... ..... ...
POST /plays/{play}/token/revoke/                                     .0+0+... ...... ..... ...
POST /scenarios/new/                                                 .++++... ...... ..... ...
POST /scenarios/{scenario}/versions/                                 .000+... ...... ..... ...
POST /scenarios/{scenario}/versions/{version}/add/                   .000+... ...... ..... ...
POST /scenarios/{scenario}/versions/{version}/nodes/{node}/delete/   .000+... ...... ..... ...
POST /scenarios/{scenario}/versions/{version}/nodes/{node}/edit/     .000+... ...... ..... ...
POST /scenarios/{scenario}/versions/{version}/publish/               .000+... ...... ..... ...
POST /tokens/issue/                                                  .++++... ...... ..... ...
POST /tokens/{token}/revoke/                                         .++++... ...... ..... ...
POST /wiki/new/                                                      .++++... ...... ..... ...
POST /wiki/pages/{page}/delete/                                      .++++... ...... ..... ...
POST /wiki/pages/{page}/edit/                                        .000+... ...... ..... ...
author create_scenario                                               ........ ...... ++... .+.
author create_scenario_node                                          ........ ...... +0... .+.
author create_scenario_version                                       ........ ...... +0... .+.
author create_wiki_page                                              ........ ...... ++... .+.
author delete_scenario_node                                          ........ ...... +0... .+.
author delete_wiki_page                                              ........ ...... +0... .+.
author get_scenario                                                  ........ ...... +0... .+.
author get_scenario_node                                             ........ ...... +0... .+.
author initialize                                                    ........ ...... ++... .+.
author list_scenario_nodes                                           ........ ...... +0... .+.
author list_scenarios                                                ........ ...... ++... .+.
author list_wiki_pages                                               ........ ...... ++... .+.
author ping                                                          ........ ...... ++... .+.
author publish_scenario_version                                      ........ ...... +0... .+.
author read_wiki_page                                                ........ ...... +0... .+.
author search_wiki                                                   ........ ...... ++... .+.
author tools/list                                                    ........ ...... ++... .+.
author update_scenario_node                                          ........ ...... +0... .+.
author update_wiki_page                                              ........ ...... +0... .+.
play commit_play_turn                                                ........ ++.... ..... +..
play finish_play_session                                             ........ ++.... ..... +..
play get_play_context                                                ........ ++.... ..... +..
play initialize                                                      ........ ++.... ..... +..
play ping                                                            ........ ++.... ..... +..
play read_play_journal                                               ........ ++.... ..... +..
play search_play_memory                                              ........ ++.... ..... +..
play tools/list                                                      ........ ++.... ..... +..
`

// rowsOf are the rows of the matrix: for each route what each column has.
func rowsOf(t *testing.T) (columns string, rows map[string]string) {
	t.Helper()
	const at = 69 // where the columns begin
	rows = map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(matrix, "\n")) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) < at {
			t.Fatalf("a row without columns: %s", line)
		}
		name, cells := strings.TrimSpace(line[:at]), strings.ReplaceAll(line[at:], " ", "")
		if _, twice := rows[name]; twice {
			t.Fatalf("two rows of %s", name)
		}
		rows[name] = cells
	}
	columns = rows[""]
	delete(rows, "")
	for name, cells := range rows {
		if len(cells) != len(columns) {
			t.Fatalf("%s has %d columns of %d", name, len(cells), len(columns))
		}
	}
	return columns, rows
}

// matrixRoutes are the routes that have a row.
func matrixRoutes(t *testing.T) []string {
	t.Helper()
	_, rows := rowsOf(t)
	return names(rows)
}

// column is who asks, and for what.
type column struct {
	shows func() shows // afresh, as a route may end a login
	about string       // the play
}

// columnsOf makes everybody of the matrix.
func (c *cast) columnsOf(t *testing.T) map[rune]column {
	t.Helper()
	for _, role := range []string{"gm", "player", "other gm", "other player", "inactive gm", "inactive player", "visitor"} {
		c.person(t, role)
	}
	for _, gm := range []string{"gm", "other gm", "inactive gm"} {
		c.author(t, gm)
	}
	for name, pair := range map[string][2]string{
		"this": {"gm", "player"}, "played": {"gm", "player"}, "other": {"other gm", "other player"}, "expired": {"gm", "player"},
		"revoked": {"gm", "player"}, "of inactive gm": {"inactive gm", "player"}, "of inactive player": {"gm", "inactive player"},
	} {
		c.play(t, name, pair[0], pair[1])
	}
	token := func(lives bool) string {
		text, made, err := c.accounts.IssueToken(t.Context(), c.people["gm"].ID, uuid.New(), "x")
		ok(t, err)
		if lives {
			c.exec(t, "UPDATE play.author_token SET created_at = 'epoch', expires_at = now() WHERE id = $1", made.ID)
		} else {
			ok(t, c.accounts.RevokeToken(t.Context(), c.people["gm"].ID, made.ID))
		}
		return text
	}
	expired, revoked := token(true), token(false)
	c.exec(t, "UPDATE play.access_token SET created_at = 'epoch', expires_at = now() WHERE assignment_id = $1", c.plays["expired"].id)
	ok(t, c.assignments.RevokeToken(t.Context(), c.people["player"].ID, c.plays["revoked"].id))
	// What is of an inactive account is there, so that it is the account which is refused.
	c.exec(t, "UPDATE play.account SET active = false WHERE id = ANY ($1)",
		[]uuid.UUID{c.people["inactive gm"].ID, c.people["inactive player"].ID})

	login := func(role, about string) column {
		return column{func() shows { return shows{cookie: c.session(t, role)} }, about}
	}
	bearer := func(text, about string) column { return column{func() shows { return shows{bearer: text} }, about} }
	both := func(role, text, about string) column {
		return column{func() shows { return shows{cookie: c.session(t, role), bearer: text} }, about}
	}
	return map[rune]column{
		'n': {func() shows { return shows{} }, "this"}, 'o': login("other player", "this"), 'p': login("player", "this"),
		'O': login("other gm", "this"), 'g': login("gm", "this"), 'G': login("inactive gm", "of inactive gm"),
		'P': login("inactive player", "of inactive player"),
		'x': {func() shows {
			s := shows{cookie: c.session(t, "gm")}
			c.exec(t, `UPDATE play.login SET created_at = now() - interval '2 hours', seen_at = now() - interval '1 minute',
				expires_at = now() WHERE account_id = $1`, c.people["gm"].ID)
			return s
		}, "this"},
		't': bearer(c.plays["played"].token, "played"), 'u': bearer(c.plays["other"].token, "other"),
		'e': bearer(c.plays["expired"].token, "expired"), 'r': bearer(c.plays["revoked"].token, "revoked"),
		'i': bearer(c.plays["of inactive gm"].token, "of inactive gm"),
		'j': bearer(c.plays["of inactive player"].token, "of inactive player"),
		'a': bearer(c.owns["gm"].token, "this"), 'b': bearer(c.owns["other gm"].token, "this"),
		'd': bearer(expired, "this"), 'v': bearer(revoked, "this"), 'k': bearer(c.owns["inactive gm"].token, "of inactive gm"),
		'1': both("gm", c.plays["played"].token, "played"), '2': both("player", c.owns["gm"].token, "this"),
		'3': both("gm", "pharos_play_"+strings.Repeat("a", 39), "this"),
	}
}

// cell is what a reply is in the matrix.
func cell(r reply) string {
	status, failed := r.Status, strings.Contains(r.Body, `"isError":true`)
	if failed {
		if _, text, _ := strings.Cut(r.Body, `"text":"`); len(text) > 3 {
			_, _ = fmt.Sscanf(text[:3], "%d", &status)
		}
	}
	switch to := r.header.Get("Location"); {
	case status == http.StatusUnauthorized:
		return "."
	case status == http.StatusForbidden:
		return "3"
	case status == http.StatusNotFound:
		return "0"
	case status == http.StatusSeeOther && strings.HasPrefix(to, "/login/"):
		return ">"
	case !failed && (status/100 == 2 || status == http.StatusSeeOther):
		return "+"
	}
	return fmt.Sprintf("(%d)", status)
}

// TestMatrix asks for everything as everybody. A refused bearer or login is told
// the same, to the byte, whatever is wrong with it.
//
// clause: P-02, P-03, P-04, P-06, P-07, P-30, P-40, P-43, P-45, P-48
func TestMatrix(t *testing.T) {
	t.Parallel()
	columns, rows := rowsOf(t)
	all := routes()
	for _, route := range without(all, names(rows)) {
		t.Errorf("%s has no row in the matrix", route)
	}
	for _, route := range without(names(rows), all) {
		t.Errorf("%s has a row, and there is no such route", route)
	}
	c := newCast(t)
	people := c.columnsOf(t)
	p := serve(t, configure(t, c.database, map[string]any{
		"admission": map[string]any{"address_per_minute": -1, "token_per_minute": -1},
	}))
	begun := time.Now()
	for _, route := range all {
		if rows[route] == "" || requests[route] == nil {
			continue // which is an error already
		}
		var got strings.Builder
		refusals := map[string]string{}
		for _, who := range columns {
			one := people[who]
			r := requests[route](c.about(t, one.about))
			reply := r.send(t, p.url, one.shows())
			got.WriteString(cell(reply))
			if reply.Status == http.StatusUnauthorized && r.media != "application/x-www-form-urlencoded" {
				for _, name := range []string{"Date", "X-Request-Id"} {
					reply.header.Del(name)
				}
				refusals[reply.everything()] += string(who)
			}
		}
		if got.String() != rows[route] {
			t.Errorf("%s\n      %s\n got  %s\n want %s", route, columns, got.String(), rows[route])
		}
		if len(refusals) > 1 {
			t.Errorf("%s: refusals differ: %v", route, slices.Sorted(func(yield func(string) bool) {
				for text, who := range refusals {
					if !yield(who + ": " + text) {
						return
					}
				}
			}))
		}
	}
	t.Logf("%d routes, %d kinds of senders, %v", len(all), len(columns), time.Since(begun).Round(time.Millisecond))
	p.stop(t)
	if diff := cmp.Diff([]string(nil), c.marks.leaked(p.stderr.String(), "the log", "")); diff != "" {
		t.Errorf("the log has:\n%s", diff)
	}
}
