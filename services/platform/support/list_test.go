package support_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
)

// fill opens tickets for a party: number n is named by it, and is closed where
// n is even. Every third was opened at the same moment.
func (d desk) fill(party uuid.UUID, from, to int) {
	d.t.Helper()
	d.exec(`INSERT INTO platform.ticket (id, party_id, title, body, state, comments, said, revision, created_at, updated_at)
		SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, n::text, 'b',
			CASE WHEN n % 2 = 0 THEN 'closed' ELSE 'open' END, 0, 0, 1,
			$2::timestamptz + (n / 3) * interval '1 second', $2
		FROM generate_series($3::int, $4::int) n`, party, noon, from, to)
}

// pages follows a list from cursor to cursor and gives the titles page by page.
func pages(t *testing.T, next func(limit int64, cursor *string) (platformapi.TicketPageModel, error), limit int64) (all []string) {
	t.Helper()
	var cursor *string
	for {
		p, err := next(limit, cursor)
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, item := range p.Items {
			titles = append(titles, item.Title)
		}
		all = append(all, strings.Join(titles, " "))
		if cursor = p.NextCursor; cursor == nil {
			return all
		}
	}
}

func (d desk) mine(party uuid.UUID, status *string) func(int64, *string) (platformapi.TicketPageModel, error) {
	return func(limit int64, cursor *string) (platformapi.TicketPageModel, error) {
		r, err := d.ListSupportTickets(d.as(party), platformapi.ListSupportTicketsRequestObject{
			Params: platformapi.ListSupportTicketsParams{Limit: &limit, Cursor: cursor, Status: status},
		})
		page, _ := r.(platformapi.ListSupportTickets200JSONResponse)
		return platformapi.TicketPageModel(page), err
	}
}

func (d desk) queue(ctx context.Context, status, assignee *string) func(int64, *string) (platformapi.TicketPageModel, error) {
	return func(limit int64, cursor *string) (platformapi.TicketPageModel, error) {
		r, err := d.ListSupportQueue(ctx, platformapi.ListSupportQueueRequestObject{
			Params: platformapi.ListSupportQueueParams{Limit: &limit, Cursor: cursor, Status: status, AssigneeID: assignee},
		})
		page, _ := r.(platformapi.ListSupportQueue200JSONResponse)
		return platformapi.TicketPageModel(page), err
	}
}

// clause: E-42
func TestLists(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.fill(ada, 1, 7)
	d.fill(bob, 8, 9)
	d.exec("UPDATE platform.ticket SET assignee_id = $1, state = CASE state WHEN 'open' THEN 'assigned' ELSE state END WHERE title IN ('1', '2', '9')", otto)
	open, closed, assigned, operator := "open", "closed", "assigned", otto.String()
	for name, c := range map[string]struct {
		next func(int64, *string) (platformapi.TicketPageModel, error)
		want []string
	}{
		"mine":                       {d.mine(ada, nil), []string{"7 6 5", "4 3 2", "1"}},
		"mine that are open":         {d.mine(ada, &open), []string{"7 5 3"}},
		"mine that are closed":       {d.mine(ada, &closed), []string{"6 4 2"}},
		"another's":                  {d.mine(bob, nil), []string{"9 8"}},
		"nobody's":                   {d.mine(otto, nil), []string{""}},
		"the queue":                  {d.queue(d.as(otto), nil, nil), []string{"1 2 3", "4 5 6", "7 8 9"}},
		"the queue of what is open":  {d.queue(d.as(otto), &open, nil), []string{"3 5 7"}},
		"an operator's":              {d.queue(d.as(otto), nil, &operator), []string{"1 2 9"}},
		"an operator's, not settled": {d.queue(d.as(otto), &assigned, &operator), []string{"1 9"}},
	} {
		if diff := cmp.Diff(c.want, pages(t, c.next, 3)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	// What is opened meanwhile does not move the rest.
	first, err := d.mine(ada, nil)(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.fill(ada, 10, 12)
	second, err := d.mine(ada, nil)(1, first.NextCursor)
	if err != nil || second.Items[0].Title != "4" {
		t.Errorf("%+v, %v", second, err)
	}
	// A cursor belongs to its list and its filters.
	for name, next := range map[string]func(int64, *string) (platformapi.TicketPageModel, error){
		"another filter": d.mine(ada, &open),
		"another list":   d.queue(d.as(otto), nil, nil),
	} {
		if _, err := next(3, first.NextCursor); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// clause: E-42
func TestComments(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(ada, ticketA, "0", keyA)
	for n := range 5 {
		status, body := d.comment(ada, ticketA, fmt.Sprint(n+1), uuid.NewString(), fmt.Sprintf("comment %d", n+1))
		check(t, status, body, 201, outcome(ticketA, n+2, ""))
	}
	two := int64(2)
	var got []int64
	var cursor *string
	for {
		r, err := d.ListSupportTicketComments(d.as(ada), platformapi.ListSupportTicketCommentsRequestObject{
			ID: ticketA, Params: platformapi.ListSupportTicketCommentsParams{Limit: &two, Cursor: cursor},
		})
		if err != nil {
			t.Fatal(err)
		}
		page := r.(platformapi.ListSupportTicketComments200JSONResponse)
		for _, c := range page.Items {
			if c.Body != fmt.Sprintf("comment %d", c.Number) || c.AuthorID != ada.String() || !c.CreatedAt.Equal(noon) {
				t.Errorf("%+v", c)
			}
			got = append(got, c.Number)
		}
		if cursor = page.NextCursor; cursor == nil {
			break
		}
	}
	if !slices.Equal(got, []int64{1, 2, 3, 4, 5}) {
		t.Errorf("%v", got)
	}
}

// TestBounds meets each bound from both sides.
func TestBounds(t *testing.T) {
	t.Parallel()
	t.Run("comments in number", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		d.create(ada, ticketA, "0", keyA)
		d.exec("UPDATE platform.ticket SET comments = 499")
		status, body := d.comment(ada, ticketA, "1", uuid.NewString(), "the last")
		check(t, status, body, 201, outcome(ticketA, 2, ""))
		status, body = d.comment(ada, ticketA, "2", uuid.NewString(), "one more")
		check(t, status, body, 422, outcome(ticketA, 2, "comment_limit"))
	})
	t.Run("comments in bytes", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		d.create(ada, ticketA, "0", keyA)
		d.exec("UPDATE platform.ticket SET said = 524288 - 3")
		status, body := d.comment(ada, ticketA, "1", uuid.NewString(), "żż")
		check(t, status, body, 422, outcome(ticketA, 1, "comment_limit"))
		status, body = d.comment(ada, ticketA, "1", uuid.NewString(), "żz")
		check(t, status, body, 201, outcome(ticketA, 2, ""))
	})
	t.Run("tickets", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		d.fill(ada, 1, 1996)
		d.fill(bob, 2001, 2002)
		status, _ := d.create(ada, uuid.NewString(), "0", uuid.NewString()) // the 999th that is open
		if status != 201 {
			t.Errorf("status %d", status)
		}
		// Of many at once, one is the thousandth.
		var all sync.WaitGroup
		var opened atomic.Int64
		for range 16 {
			all.Go(func() {
				id := uuid.NewString()
				status, body := d.create(ada, id, "0", uuid.NewString())
				if status == 201 {
					opened.Add(1)
					return
				}
				check(t, status, body, 422, outcome(id, 0, "ticket_limit"))
			})
		}
		all.Wait()
		if n := opened.Load(); n != 1 {
			t.Errorf("%d opened", n)
		}
		status, _ = d.create(bob, ticketA, "0", keyA)
		if status != 201 {
			t.Errorf("another's status %d", status)
		}
	})
}
