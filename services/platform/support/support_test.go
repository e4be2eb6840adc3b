package support_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/support"
)

// The parties of these tests.
var (
	ada  = uuid.MustParse("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa")
	bob  = uuid.MustParse("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
	otto = uuid.MustParse("cccccccc-cccc-4ccc-8ccc-cccccccccccc") // an operator
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// desk is the service with its database, at noon.
type desk struct {
	*support.Desk
	pool *pgxpool.Pool
	t    *testing.T
}

func newDesk(t *testing.T) desk {
	t.Helper()
	pool := pgtest.Database(t, "platform")
	d := desk{support.New(pool, command.NewDoor(pool, func() time.Time { return noon })), pool, t}
	for name, id := range map[string]uuid.UUID{"ada": ada, "bob": bob, "otto": otto} {
		d.exec(`INSERT INTO platform.party (id, username, display_name, email, affiliation, state, created_at, updated_at)
			VALUES ($1, $2, $2, $2 || '@example.org', '', 'active', $3, $3)`, id, name, noon)
	}
	d.exec("INSERT INTO platform.operator (party_id, enrolled_at) VALUES ($1, $2)", otto, noon)
	return d
}

func (d desk) exec(sql string, arguments ...any) {
	d.t.Helper()
	if _, err := d.pool.Exec(d.t.Context(), sql, arguments...); err != nil {
		d.t.Fatal(err)
	}
}

// as is the context of a request of a party.
func (d desk) as(party uuid.UUID) context.Context {
	return access.With(d.t.Context(), access.Principal{Party: party, Operator: party == otto})
}

// visitor is what a generated reply is written by.
type visitor func(http.ResponseWriter) error

// answer is the status and body of a reply, or the code of a fault.
func (d desk) answer(v visitor, err error) (int, string) {
	d.t.Helper()
	if err != nil {
		code := fault.CodeOf(err)
		if code == fault.Internal {
			d.t.Errorf("internal: %v", err)
		}
		return code.Status(), string(code)
	}
	w := httptest.NewRecorder()
	if err := v(w); err != nil {
		d.t.Fatal(err)
	}
	return w.Code, strings.TrimSpace(w.Body.String())
}

// create opens a ticket under a new key.
func (d desk) create(party uuid.UUID, id, ifMatch, key string) (int, string) {
	d.t.Helper()
	r, err := d.CreateSupportTicket(d.as(party), platformapi.CreateSupportTicketRequestObject{
		ID: id, Params: platformapi.CreateSupportTicketParams{IdempotencyKey: key, IfMatch: ifMatch},
		Body: &platformapi.NewTicketModel{Title: "A support request", Body: "Please investigate."},
	})
	if err != nil {
		return d.answer(nil, err)
	}
	return d.answer(r.VisitCreateSupportTicketResponse, nil)
}

func (d desk) comment(party uuid.UUID, id, ifMatch, key, body string) (int, string) {
	d.t.Helper()
	r, err := d.AddSupportTicketComment(d.as(party), platformapi.AddSupportTicketCommentRequestObject{
		ID: id, Params: platformapi.AddSupportTicketCommentParams{IdempotencyKey: key, IfMatch: ifMatch},
		Body: &platformapi.NewCommentModel{Body: body},
	})
	if err != nil {
		return d.answer(nil, err)
	}
	return d.answer(r.VisitAddSupportTicketCommentResponse, nil)
}

func (d desk) update(party uuid.UUID, id, ifMatch string, change platformapi.TicketChangeModel) (int, string) {
	d.t.Helper()
	r, err := d.UpdateSupportTicket(d.as(party), platformapi.UpdateSupportTicketRequestObject{
		ID: id, Params: platformapi.UpdateSupportTicketParams{IdempotencyKey: uuid.NewString(), IfMatch: ifMatch},
		Body: &change,
	})
	if err != nil {
		return d.answer(nil, err)
	}
	return d.answer(r.VisitUpdateSupportTicketResponse, nil)
}

func (d desk) shut(party uuid.UUID, id, ifMatch string) (int, string) {
	d.t.Helper()
	r, err := d.CloseSupportTicket(d.as(party), platformapi.CloseSupportTicketRequestObject{
		ID: id, Params: platformapi.CloseSupportTicketParams{IdempotencyKey: uuid.NewString(), IfMatch: ifMatch},
	})
	if err != nil {
		return d.answer(nil, err)
	}
	return d.answer(r.VisitCloseSupportTicketResponse, nil)
}

func (d desk) assign(party uuid.UUID, id, ifMatch string, to uuid.UUID) (int, string) {
	d.t.Helper()
	r, err := d.AssignSupportTicket(d.as(party), platformapi.AssignSupportTicketRequestObject{
		ID: id, Params: platformapi.AssignSupportTicketParams{IdempotencyKey: uuid.NewString(), IfMatch: ifMatch},
		Body: &platformapi.AssignmentModel{AssigneeID: to.String()},
	})
	if err != nil {
		return d.answer(nil, err)
	}
	return d.answer(r.VisitAssignSupportTicketResponse, nil)
}

func (d desk) get(party uuid.UUID, id string) (int, string) {
	d.t.Helper()
	r, err := d.GetSupportTicket(d.as(party), platformapi.GetSupportTicketRequestObject{ID: id})
	if err != nil {
		return d.answer(nil, err)
	}
	return d.answer(r.VisitGetSupportTicketResponse, nil)
}

// outcome is the body of a reply that tells what became of a command.
func outcome(id string, version int, rejection string) string {
	if rejection == "" {
		return fmt.Sprintf(`{"aggregateId":%q,"status":"applied","version":%d}`, id, version)
	}
	return fmt.Sprintf(`{"aggregateId":%q,"rejection":%q,"status":"rejected","version":%d}`, id, rejection, version)
}

const (
	ticketA = "11111111-1111-4111-8111-111111111111"
	keyA    = "22222222-2222-4222-8222-222222222222"
	created = `{"body":"Please investigate.","comments":0,"created_at":"2026-11-30T12:00:00Z","id":"` + ticketA +
		`","requester_id":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","revision":1,"status":"open","title":"A support request",` +
		`"updated_at":"2026-11-30T12:00:00Z"}`
)

// check compares a reply.
func check(t *testing.T, status int, body string, wantStatus int, want string) {
	t.Helper()
	if status != wantStatus || body != want {
		t.Errorf("got %d %s\nwant %d %s", status, body, wantStatus, want)
	}
}

// TestCreateAtOnce sends the same command, and others under its key, at once.
// clause: E-41
func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			status, body := d.create(ada, ticketA, "0", keyA)
			check(t, status, body, 201, created)
		})
	}
	all.Wait()
	for range 16 {
		all.Go(func() {
			id := uuid.NewString()
			status, body := d.create(ada, id, "0", keyA)
			check(t, status, body, 409, outcome(id, 0, "idempotency_key_reuse"))
		})
	}
	all.Wait()
	var rows, receipts int
	if err := d.pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM platform.ticket),
		(SELECT count(*) FROM platform.receipt)`).Scan(&rows, &receipts); err != nil || rows != 1 || receipts != 1 {
		t.Errorf("%d tickets, %d receipts, %v", rows, receipts, err)
	}
	// The answer of the moment, whatever has happened since.
	status, body := d.shut(ada, ticketA, "1")
	check(t, status, body, 200, outcome(ticketA, 2, ""))
	status, body = d.create(ada, ticketA, "0", keyA)
	check(t, status, body, 201, created)
}

// clause: E-16, E-41
func TestCreateRejects(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	status, body := d.create(ada, ticketA, "1", uuid.NewString())
	check(t, status, body, 409, outcome(ticketA, 0, "stale_revision"))
	d.create(ada, ticketA, "0", keyA)
	status, body = d.create(ada, ticketA, "0", uuid.NewString())
	check(t, status, body, 409, outcome(ticketA, 1, "already_exists"))
	status, body = d.create(ada, ticketA, "2", uuid.NewString())
	check(t, status, body, 409, outcome(ticketA, 1, "stale_revision"))
	// Who may not see the ticket is not told how it is.
	status, body = d.create(bob, ticketA, "0", uuid.NewString())
	check(t, status, body, 409, outcome(ticketA, 0, "already_exists"))
}

// TestCommandsAtOnce sends commands for one revision: one of them is applied.
// clause: E-41
func TestCommandsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(ada, ticketA, "0", keyA)
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[int]int{}
	for range 16 {
		all.Go(func() {
			status, _ := d.comment(ada, ticketA, "1", uuid.NewString(), "Any news?")
			mu.Lock()
			defer mu.Unlock()
			got[status]++
		})
	}
	all.Wait()
	if diff := cmp.Diff(map[int]int{201: 1, 409: 15}, got); diff != "" {
		t.Error(diff)
	}
}

// TestStates goes the way of a ticket.
func TestStates(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(ada, ticketA, "0", keyA)
	title := "Another title"
	for _, step := range []struct {
		name   string
		do     func() (int, string)
		status int
		want   string
	}{
		{"correct", func() (int, string) { return d.update(ada, ticketA, "1", platformapi.TicketChangeModel{Title: &title}) },
			200, outcome(ticketA, 2, "")},
		{"stale", func() (int, string) {
			return d.update(ada, ticketA, `"1"`, platformapi.TicketChangeModel{Title: &title})
		},
			409, outcome(ticketA, 2, "stale_revision")},
		{"assign to nobody", func() (int, string) { return d.assign(otto, ticketA, "2", bob) },
			422, outcome(ticketA, 2, "assignee_no_operator")},
		{"assign", func() (int, string) { return d.assign(otto, ticketA, `"2"`, otto) }, 200, outcome(ticketA, 3, "")},
		{"an operator comments", func() (int, string) { return d.comment(otto, ticketA, "3", uuid.NewString(), "I look.") },
			201, outcome(ticketA, 4, "")},
		{"an operator does not correct", func() (int, string) {
			return d.update(otto, ticketA, "4", platformapi.TicketChangeModel{Title: &title})
		}, 403, "forbidden"},
		{"close", func() (int, string) { return d.shut(ada, ticketA, "4") }, 200, outcome(ticketA, 5, "")},
		{"close again", func() (int, string) { return d.shut(ada, ticketA, "5") }, 409, outcome(ticketA, 5, "ticket_closed")},
		{"comment", func() (int, string) { return d.comment(ada, ticketA, "5", uuid.NewString(), "x") },
			409, outcome(ticketA, 5, "ticket_closed")},
		{"correct what is closed", func() (int, string) {
			return d.update(ada, ticketA, "5", platformapi.TicketChangeModel{Title: &title})
		}, 409, outcome(ticketA, 5, "ticket_closed")},
		{"assign what is closed", func() (int, string) { return d.assign(otto, ticketA, "5", otto) },
			409, outcome(ticketA, 5, "ticket_closed")},
		{"the end", func() (int, string) { return d.get(ada, ticketA) }, 200,
			`{"assignee_id":"cccccccc-cccc-4ccc-8ccc-cccccccccccc","body":"Please investigate.","comments":1,` +
				`"created_at":"2026-11-30T12:00:00Z","id":"` + ticketA + `","requester_id":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",` +
				`"revision":5,"status":"closed","title":"Another title","updated_at":"2026-11-30T12:00:00Z"}`},
	} {
		status, body := step.do()
		if status != step.status || body != step.want {
			t.Errorf("%s: got %d %s\nwant %d %s", step.name, status, body, step.status, step.want)
		}
	}
	r, err := d.GetSupportTicketTranscript(d.as(ada), platformapi.GetSupportTicketTranscriptRequestObject{ID: ticketA})
	if err != nil {
		t.Fatal(err)
	}
	_, text := d.answer(r.VisitGetSupportTicketTranscriptResponse, nil)
	want := "Another title\nclosed, revision 5, since 2026-11-30T12:00:00Z\n\nPlease investigate.\n\n" +
		"#1 by the operator at 2026-11-30T12:00:00Z\nI look."
	if text != want {
		t.Errorf("transcript:\n%s", text)
	}
}

// TestForeign is what a ticket of another Party is: not there.
func TestForeign(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(ada, ticketA, "0", keyA)
	missing := outcome(ticketA, 0, "not_found")
	status, body := d.get(bob, ticketA)
	check(t, status, body, 404, "not_found")
	status, body = d.comment(bob, ticketA, "1", uuid.NewString(), "x")
	check(t, status, body, 404, missing)
	status, body = d.shut(bob, ticketA, "1")
	check(t, status, body, 404, missing)
	status, body = d.update(bob, ticketA, "1", platformapi.TicketChangeModel{})
	check(t, status, body, 404, missing)
	status, body = d.assign(bob, ticketA, "1", otto)
	check(t, status, body, 403, "forbidden")
	_, err := d.ListSupportTicketComments(d.as(bob), platformapi.ListSupportTicketCommentsRequestObject{ID: ticketA})
	status, body = d.answer(nil, err)
	check(t, status, body, 404, "not_found")
	_, err = d.GetSupportTicketTranscript(d.as(bob), platformapi.GetSupportTicketTranscriptRequestObject{ID: ticketA})
	status, body = d.answer(nil, err)
	check(t, status, body, 404, "not_found")
	_, err = d.ListSupportQueue(d.as(bob), platformapi.ListSupportQueueRequestObject{})
	status, body = d.answer(nil, err)
	check(t, status, body, 403, "forbidden")
	// An operator whose token lacks the scope is none.
	ctx := access.With(t.Context(), access.Principal{Party: otto, Operator: true, Scopes: []string{"support:read"}})
	_, err = d.ListSupportQueue(ctx, platformapi.ListSupportQueueRequestObject{})
	status, body = d.answer(nil, err)
	check(t, status, body, 403, "forbidden")
	if status, _ = d.get(otto, ticketA); status != 200 {
		t.Errorf("an operator gets %d", status)
	}
}
