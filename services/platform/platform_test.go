package platform_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/platform"
)

const (
	ticketA = "11111111-1111-4111-8111-111111111111"
	ticketB = "22222222-2222-4222-8222-222222222222"
	newBody = `{"title":"A support request","body":"Please investigate."}`
)

// door is a service behind its handler, with a clock that the test moves.
type door struct {
	handler http.Handler
	mu      sync.Mutex
	time    time.Time
}

func newDoor() *door {
	d := &door{time: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	d.handler = platform.Handler(platform.New(func() time.Time {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.time
	}), nil)
	return d
}

func (d *door) sleep(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.time = d.time.Add(by)
}

// key makes the n-th Idempotency-Key.
func key(n int) string { return fmt.Sprintf("aaaaaaaa-aaaa-4aaa-8aaa-%012d", n) }

// send returns the status and body of one request.
func (d *door) send(method, path string, n int, revision, body string) (int, string) {
	w := d.reply(method, path, n, revision, body)
	text, _ := io.ReadAll(w.Body)
	return w.Code, strings.TrimSpace(string(text))
}

// reply returns the reply to one request. A key of 0 sends neither command
// header.
func (d *door) reply(method, path string, n int, revision, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost"
	if n != 0 {
		r.Header.Set("Idempotency-Key", key(n))
		r.Header.Set("If-Match", revision)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w
}

// step is one request and what must come of it.
type step struct {
	method, path string
	key          int
	revision     string
	body         string
	status       int
	says         string // part of the reply
}

func (d *door) walk(t *testing.T, steps []step) {
	t.Helper()
	for i, s := range steps {
		status, text := d.send(s.method, s.path, s.key, s.revision, s.body)
		if status != s.status || !strings.Contains(text, s.says) {
			t.Errorf("step %d, %s %s: status %d %s\nwant %d with %s", i, s.method, s.path, status, text, s.status, s.says)
		}
	}
}

func outcome(version int, rejection string) string {
	if rejection == "" {
		return fmt.Sprintf(`{"aggregateId":%q,"status":"applied","version":%d}`, ticketA, version)
	}
	return fmt.Sprintf(`{"aggregateId":%q,"rejection":%q,"status":"rejected","version":%d}`, ticketA, rejection, version)
}

// clause: E-41
func TestCommands(t *testing.T) {
	t.Parallel()
	const a, b = "/support/tickets/" + ticketA, "/support/tickets/" + ticketB
	const comment = `{"body":"Any news?"}`
	d := newDoor()
	d.walk(t, []step{
		{"PUT", a, 1, "0", newBody, 201, `"revision":1`},
		{"PUT", a, 1, "0", newBody, 201, `"revision":1`},
		{"PUT", a, 1, "0", `{"title":"Another","body":"request"}`, 409, outcome(1, "idempotency_key_reuse")},
		{"PUT", a, 1, "1", newBody, 409, outcome(1, "idempotency_key_reuse")},
		{"PUT", b, 1, "0", newBody, 409, `"rejection":"idempotency_key_reuse","status":"rejected","version":0`},
		{"PUT", a, 2, "0", newBody, 409, outcome(1, "already_exists")},
		{"PUT", b, 3, "1", newBody, 409, `"rejection":"stale_revision","status":"rejected","version":0`},
		{"GET", b, 0, "", "", 404, `"code":"not_found"`},

		{"POST", a + "/comments", 1, "1", comment, 201, outcome(2, "")}, // a key counts for one operation
		{"POST", a + "/comments", 4, "1", comment, 409, outcome(2, "stale_revision")},
		{"POST", a + "/comments", 5, "2", comment, 201, outcome(3, "")},
		{"POST", a + "/comments", 4, "1", comment, 409, outcome(2, "stale_revision")}, // as it was recorded
		{"POST", b + "/comments", 6, "1", comment, 404, `"code":"not_found"`},

		{"POST", a + "/close", 7, "2", "", 409, outcome(3, "stale_revision")},
		{"POST", a + "/close", 8, "3", "", 200, outcome(4, "")},
		{"POST", a + "/close", 8, "3", "", 200, outcome(4, "")},
		{"POST", a + "/close", 9, "4", "", 409, outcome(4, "ticket_closed")},
		{"POST", a + "/comments", 10, "4", comment, 409, outcome(4, "ticket_closed")},
		{"PUT", a, 1, "0", newBody, 201, `"status":"open"`}, // as it was recorded
		{"GET", a, 0, "", "", 200, `"comments":2,"created_at":"2026-11-30T12:00:00Z"`},
		{"GET", a, 0, "", "", 200, `"revision":4,"status":"closed"`},
	})
	d.sleep(24*time.Hour - time.Nanosecond)
	d.walk(t, []step{{"PUT", a, 1, "0", newBody, 201, `"revision":1`}})
	d.sleep(time.Nanosecond)
	d.walk(t, []step{{"PUT", a, 1, "0", newBody, 409, outcome(4, "already_exists")}})
}

// TestETags sends back what the service says, in quotes or without.
//
// clause: E-41
func TestETags(t *testing.T) {
	t.Parallel()
	const a = "/support/tickets/" + ticketA
	d := newDoor()
	etag := d.reply("PUT", a, 1, `"0"`, newBody).Header().Get("ETag")
	if etag != `"1"` {
		t.Errorf("a new ticket has the ETag %s", etag)
	}
	if got := d.reply("PUT", a, 1, "0", newBody).Header().Get("ETag"); got != etag {
		t.Errorf("once more, without quotes: the ETag is %s, want %s", got, etag)
	}
	d.walk(t, []step{
		{"POST", a + "/comments", 2, etag, `{"body":"b"}`, 201, outcome(2, "")},
		{"POST", a + "/close", 3, etag, "", 409, outcome(2, "stale_revision")},
	})
	if etag = d.reply("GET", a, 0, "", "").Header().Get("ETag"); etag != `"2"` {
		t.Errorf("after a comment the ETag is %s", etag)
	}
	d.walk(t, []step{{"POST", a + "/close", 4, etag, "", 200, outcome(3, "")}})
}

// clause: E-41
func TestConcurrentCommandsApplyOnce(t *testing.T) {
	t.Parallel()
	d := newDoor()
	var wait sync.WaitGroup
	for n := range 16 {
		wait.Go(func() {
			if status, text := d.send("PUT", "/support/tickets/"+ticketA, 1, "0", newBody); status != 201 {
				t.Errorf("attempt %d: status %d %s, want the same 201 for all", n, status, text)
			}
		})
	}
	wait.Wait()
	if _, text := d.send("GET", "/support/tickets", 0, "", ""); strings.Count(text, ticketA) != 1 {
		t.Errorf("tickets: %s, want one", text)
	}
}

// clause: E-42
func TestRefusals(t *testing.T) {
	t.Parallel()
	const a = "/support/tickets/" + ticketA
	text := func(title, body string) string {
		data, _ := json.Marshal(map[string]string{"title": title, "body": body})
		return string(data)
	}
	const invalid = `"code":"invalid_request"`
	d := newDoor()
	d.walk(t, []step{
		{"PUT", a, 1, "0", text(strings.Repeat("é", 201), "b"), 400, "/body/title: expected at most 200 characters"},
		{"PUT", a, 1, "0", text("", "b"), 400, "/body/title: expected at least 1 character"},
		{"PUT", a, 1, "0", text("two\nlines", "b"), 400, `/body/title: expected a string that matches`},
		{"PUT", a, 1, "0", text("t", strings.Repeat("é", 20001)), 400, "/body/body: expected at most 20000 characters"},
		{"PUT", a, 1, "0", text("t", "a\x00"), 400, `/body`},
		{"PUT", a, 1, "00", newBody, 400, "If-Match"},
		{"PUT", a, 1, "+1", newBody, 400, "If-Match"},
		{"PUT", a, 1, "-1", newBody, 400, "If-Match"},
		{"PUT", a, 1, `"0`, newBody, 400, "If-Match"},
		{"PUT", a, 1, `W/"0"`, newBody, 400, "If-Match"},
		{"PUT", a, 1, "99999999999999999999", newBody, 400, "If-Match"},
		{"PUT", a, 0, "", newBody, 400, "/parameters/Idempotency-Key: it is missing"},
		{"PUT", a, 1, "0", "{", 400, "/body: expected JSON"},
		{"PUT", a, 1, "0", "", 400, "/body: expected JSON"},
		{"PUT", a, 1, "0", newBody + "{}", 400, "/body: "},
		{"PUT", a, 1, "0", `{"title":"t","body":7}`, 400, "/body/body: it is not as the API describes it"},
		{"PUT", a, 1, "0", `{"title":"t"}`, 400, `/body: missing \"body\"`},
		{"PUT", a, 1, "0", `{"title":"t","body":"b","status":"closed"}`, 400, `/body: unknown member \"status\"`},
		{"PUT", a, 1, "0", `{"Title":"t","body":"b"}`, 400, `/body: `},
		{"PUT", "/support/tickets/A", 1, "0", newBody, 400, "/path/id: expected a string that matches"},
		{"PUT", "/support/tickets/" + strings.ToUpper("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"), 1, "0", newBody, 400, "/path/id: expected"},
		{"GET", "/support/tickets?limit=101", 0, "", "", 400, "/parameters/limit: "},
		{"GET", "/support/tickets?limit=0", 0, "", "", 400, "/parameters/limit: "},
		{"GET", "/support/tickets?limit=x", 0, "", "", 400, "/parameters/limit: it is missing or not"},
		{"GET", "/support/tickets?cursor=x", 0, "", "", 400, "cursor"},
		{"GET", "/support/tickets?cursor=LTE", 0, "", "", 400, "cursor"},
		{"GET", "/support/tickets?status=lost", 0, "", "", 400, `/parameters/status: expected one of \"open\", \"assigned\", \"closed\"`},
		{"PUT", a, 1, "0", strings.Repeat(" ", 256<<10) + newBody, 413, invalid},
		// The refused requests left their key free and the service empty.
		{"GET", "/support/tickets", 0, "", "", 200, `{"items":[]}`},
		{"PUT", a, 1, "0", text(strings.Repeat("é", 200), strings.Repeat("é", 20000)), 201, `"revision":1`},
		{"GET", "/healthz", 0, "", "", 200, "ok"},
	})
}

// clause: E-42
func TestPages(t *testing.T) {
	t.Parallel()
	d := newDoor()
	const tickets = 7
	id := func(n int) string { return fmt.Sprintf("bbbbbbbb-bbbb-4bbb-8bbb-%012d", n) }
	for n := range tickets {
		if status, text := d.send("PUT", "/support/tickets/"+id(n), n+1, "0", newBody); status != 201 {
			t.Fatalf("status %d: %s", status, text)
		}
	}
	for _, n := range []int{1, 4, 5} {
		d.send("POST", "/support/tickets/"+id(n)+"/close", 100+n, "1", "")
	}
	walk := func(query string, during func()) (got []string) {
		cursor := ""
		for {
			_, text := d.send("GET", "/support/tickets?"+query+cursor, 0, "", "")
			var page struct {
				Items []struct{ ID string }
				Next  string `json:"next_cursor"`
			}
			if err := json.Unmarshal([]byte(text), &page); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for _, item := range page.Items {
				got = append(got, strings.TrimLeft(item.ID[24:], "0"))
			}
			if page.Next == "" {
				return got
			}
			cursor = "&cursor=" + page.Next
			during()
		}
	}
	nothing := func() {}
	created := tickets
	create := func() {
		d.send("PUT", "/support/tickets/"+id(created), created+1, "0", newBody)
		created++
	}
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"limit=3", []string{"6", "5", "4", "3", "2", "1", ""}},
		{"limit=7", []string{"6", "5", "4", "3", "2", "1", ""}},
		{"", []string{"6", "5", "4", "3", "2", "1", ""}},
		{"limit=1&status=closed", []string{"5", "4", "1"}},
		{"limit=2&status=open", []string{"6", "3", "2", ""}},
	} {
		if diff := cmp.Diff(c.want, walk(c.query, nothing)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
	if diff := cmp.Diff([]string{"6", "5", "4", "3", "2", "1", ""}, walk("limit=2", create)); diff != "" {
		t.Errorf("while tickets are created (-want +got):\n%s", diff)
	}
}

func TestCommentsAndTranscript(t *testing.T) {
	t.Parallel()
	d := newDoor()
	const a = "/support/tickets/" + ticketA
	d.send("PUT", a, 1, "0", newBody)
	for n := 1; n <= 500; n++ {
		d.send("POST", a+"/comments", n, fmt.Sprint(n), fmt.Sprintf(`{"body":"comment %d"}`, n))
	}
	d.walk(t, []step{
		{"POST", a + "/comments", 501, "501", `{"body":"one too many"}`, 409, outcome(501, "comment_limit")},
		{"GET", a + "/comments?limit=2", 0, "", "", 200, `"number":2}],"next_cursor":"Mg"}`},
		{"GET", a + "/comments?limit=2&cursor=Mg", 0, "", "", 200, `"body":"comment 3"`},
		{"GET", a + "/comments?limit=2&cursor=NDk4", 0, "", "", 200, `"number":500}]}`},
		{"GET", a + "/comments?cursor=NTAw", 0, "", "", 200, `{"items":[]}`},
		{"GET", a + "/transcript", 0, "", "", 200,
			"A support request\nopen, revision 501, since 2026-11-30T12:00:00Z\n\nPlease investigate.\n\n#1 at"},
		{"GET", "/support/tickets/" + ticketB + "/transcript", 0, "", "", 404, "not_found"},
		{"GET", "/support/tickets/" + ticketB + "/comments", 0, "", "", 404, "not_found"},
	})
}
