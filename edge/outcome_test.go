package edge_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
)

// unknown is the advice that goes with outcome_unknown.
const unknown = "; the outcome is unknown: keep this exact input and its command identity, " +
	"send it again only if the user authorises it, or query the current state"

// problemOf is an envelope with an error.
func problemOf(id string, status int, code, message string, outcomeUnknown bool) string {
	s, u := "", ""
	if status != 0 {
		s = fmt.Sprintf(`,"status":%d`, status)
	}
	if outcomeUnknown {
		message, u = message+unknown, `,"outcome_unknown":true`
	}
	return fmt.Sprintf(`{"operation_id":%q%s,"error":{"code":%q,"message":%q%s}}`, id, s, code, message, u)
}

// clause: E-14, E-15, E-16, E-17, E-19, E-55
func TestReplies(t *testing.T) { // faults I38, I40
	t.Parallel()
	const (
		asJSON    = "application/json"
		asProblem = "application/problem+json"
		offBody   = "the API answered status %d with a body that breaks its own document"
	)
	for name, c := range map[string]struct {
		tool, arguments string
		reply           http.HandlerFunc
		want            string
		isError         bool
	}{
		"JSON": {"get_item", withID, respond(200, asJSON, ` {"id": "<a&b>", "count": 9007199254740993}`),
			`{"operation_id":"getItem","status":200,"result":{"id":"\u003ca\u0026b\u003e","count":9007199254740993}}`, false},
		"JSON with a charset": {"get_item", withID, respond(200, "application/json; charset=utf-8", `{"id":"x"}`),
			`{"operation_id":"getItem","status":200,"result":{"id":"x"}}`, false},
		"undeclared members are dropped": {"get_item", withID, respond(200, asJSON, `{"id":"x","internal_host":"db-17"}`),
			`{"operation_id":"getItem","status":200,"result":{"id":"x"}}`, false},
		"free-form objects stay": {"list_items", `{}`, respond(206, asJSON, `{"any":[1,null]}`),
			`{"operation_id":"listItems","status":206,"result":{"any":[1,null]}}`, false},
		"text": {"get_note", `{}`, respond(200, "text/plain; charset=utf-8", "a \"note\"\n"),
			`{"operation_id":"getNote","status":200,"result":"a \"note\"\n"}`, false},
		"text in Latin-1": {"get_note", `{}`, respond(200, "text/plain; charset=ISO-8859-1", "caf\xe9"),
			`{"operation_id":"getNote","status":200,"result":"café"}`, false},
		"text that is none": {"get_note", `{}`, respond(200, "text/plain", "a\xff"),
			"{\"operation_id\":\"getNote\",\"status\":200,\"result\":\"a\uFFFD\"}", false},
		"half of a surrogate pair": {"get_item", withID, respond(200, asJSON, `{"id":"a\ud83d\ude00\\ud800\uD800"}`),
			`{"operation_id":"getItem","status":200,"result":{"id":"a\ud83d\ude00\\ud800\ufffd"}}`, false},
		"two halves": {"list_items", `{}`, respond(206, asJSON, `{"any":["\ude00\ud83d","\udc00\\","\ud800\n"]}`),
			`{"operation_id":"listItems","status":206,"result":{"any":["\ufffd\ufffd","\ufffd\\","\ufffd\n"]}}`, false},
		"a name that is none": {"list_items", `{}`, respond(206, asJSON, `{"any":1,"\ud800" : 1}`),
			problemOf("listItems", 206, "invalid_response", fmt.Sprintf(offBody, 206), false), true},
		"protobuf": {"get_blob", `{}`, respond(200, "application/x-protobuf", "\x00\xff\x80"),
			`{"operation_id":"getBlob","status":200,"result":{"media_type":"application/x-protobuf","base64":"AP+A"}}`, false},
		"204": {"delete_item", withID, respond(204, "", ""), `{"operation_id":"deleteItem","status":204}`, false},
		"an empty success": {"create_item", creates, respond(201, "", ""),
			`{"operation_id":"createItem","status":201}`, false},

		"a recorded outcome": {"create_item", creates, respond(202, asJSON, `{"aggregateId":"a","version":3,"status":"accepted"}`),
			`{"operation_id":"createItem","status":202,"result":{"aggregateId":"a","version":3,"status":"accepted"}}`, false},
		"a rejection at 409": {"create_item", creates,
			respond(409, asJSON, `{"aggregateId":"a","status":"rejected","rejection":"stale","trace":"x"}`),
			`{"operation_id":"createItem","status":409,"result":{"aggregateId":"a","status":"rejected","rejection":"stale"}}`, true},
		"a rejection at 422": {"create_item", creates, respond(422, asJSON, `{"aggregateId":"a","status":"rejected"}`),
			`{"operation_id":"createItem","status":422,"result":{"aggregateId":"a","status":"rejected"}}`, true},
		"an outcome that is none": {"create_item", creates, respond(409, asJSON, `{"secret":"s"}`),
			problemOf("createItem", 409, "upstream_409", "the API answered 409 Conflict", false), true},
		"an outcome where none is declared": {"get_item", withID, respond(409, asJSON, `{"aggregateId":"a","status":"rejected"}`),
			problemOf("getItem", 409, "upstream_409", "the API answered 409 Conflict", false), true},

		"a declared problem": {"get_item", withID, respond(404, asProblem, `{"code":"item_not_found","detail":"row 17 of db-3"}`),
			problemOf("getItem", 404, "item_not_found", "the API answered 404 Not Found", false), true},
		"a problem by default": {"delete_item", withID, respond(503, asProblem, `{"code":"read_only"}`),
			problemOf("deleteItem", 503, "read_only", "the API answered 503 Service Unavailable", false), true},
		"a problem that breaks its schema": {"get_item", withID, respond(404, asProblem, `{"code":17}`),
			problemOf("getItem", 404, "upstream_404", "the API answered 404 Not Found", false), true},
		"a code that is no code": {"get_item", withID, respond(404, asProblem, `{"code":"<script>"}`),
			problemOf("getItem", 404, "upstream_404", "the API answered 404 Not Found", false), true},
		"a code that is not declared": {"create_item", creates, respond(418, asJSON, `{"code":"db-17.internal"}`),
			problemOf("createItem", 418, "upstream_418", "the API answered 418 I'm a teapot", false), true},
		"an undeclared error": {"get_item", withID, respond(500, "text/html", "<h1>stack trace</h1>"),
			problemOf("getItem", 500, "upstream_500", "the API answered 500 Internal Server Error", false), true},
		"a status without a name": {"get_item", withID, respond(599, "", ""),
			problemOf("getItem", 599, "upstream_599", "the API answered 599", false), true},
		"a redirect": {"get_item", withID, respond(302, "", ""),
			problemOf("getItem", 302, "upstream_302", "the API answered a redirect (302), which is not followed", false), true},

		"a write and an undeclared 5xx": {"create_item", creates, respond(502, "text/html", "bad gateway"),
			problemOf("createItem", 502, "upstream_502", "the API answered 502 Bad Gateway", true), true},
		"a write and a 5xx off its default": {"delete_item", withID, respond(502, "text/html", "bad gateway"),
			problemOf("deleteItem", 502, "upstream_502", "the API answered 502 Bad Gateway", true), true},
		"a write and a 5xx without a code": {"create_item", creates, respond(503, asJSON, `{"detail":"x"}`),
			problemOf("createItem", 503, "upstream_503", "the API answered 503 Service Unavailable", true), true},
		"not modified": {"get_item", withID, respond(304, "", ""),
			problemOf("getItem", 304, "upstream_304", "the API answered 304 Not Modified", false), true},
		"a write and a redirect": {"create_item", creates, respond(303, "", ""),
			problemOf("createItem", 303, "upstream_303", "the API answered a redirect (303), which is not followed", true), true},
		"a write and a 4xx": {"create_item", creates, respond(400, asJSON, `{}`),
			problemOf("createItem", 400, "upstream_400", "the API answered 400 Bad Request", false), true},

		"a reply off its schema": {"get_item", withID, respond(200, asJSON, `{"id":42}`),
			problemOf("getItem", 200, "invalid_response", fmt.Sprintf(offBody, 200), false), true},
		"a reply that is cut": {"get_item", withID, respond(200, asJSON, `{"id":"x"`),
			problemOf("getItem", 200, "invalid_response", fmt.Sprintf(offBody, 200), false), true},
		"a page in place of JSON": {"get_item", withID, respond(200, "text/html", `{"id":"x"}`),
			problemOf("getItem", 200, "invalid_response", fmt.Sprintf(offBody, 200), false), true},
		"JSON in place of text": {"get_note", `{}`, respond(200, asJSON, `{}`),
			problemOf("getNote", 200, "invalid_response", fmt.Sprintf(offBody, 200), false), true},
		"an undeclared success": {"get_item", withID, respond(201, asJSON, `{"id":"x"}`),
			problemOf("getItem", 201, "invalid_response",
				"the API answered status 201 with a body that its document does not declare", false), true},
		"a write's reply off its schema": {"create_item", creates, respond(201, asJSON, `{"name":"n"}`),
			problemOf("createItem", 201, "invalid_response", fmt.Sprintf(offBody, 201), true), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, shop(), edge.Config{}, c.reply)
			a := b.call(t, c.tool, c.arguments)
			if a.Status != 200 || a.Error != nil {
				t.Fatalf("status %d, %s; want a tool's result", a.Status, a.Body)
			}
			if got := a.envelope(t); !sameJSON(got, c.want) || a.Result.IsError != c.isError {
				t.Errorf("isError %v, want %v\n got %s\nwant %s", a.Result.IsError, c.isError, got, c.want)
			}
			if got := b.sent.Load(); got != 1 {
				t.Errorf("the upstream saw %d requests, want 1", got)
			}
		})
	}
}

// clause: E-17
func TestDroppedMembersAreCounted(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(200, "application/json", `{"id":"x","a":1,"b":{"c":2}}`))
	b.call(t, "get_item", withID)
	if log := b.log.String(); !strings.Contains(log, `"dropped_members":2`) {
		t.Errorf("the log does not count the dropped members: %s", log)
	}
}

// clause: E-58
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"30":                            "30",
		"Mon, 30 Nov 2026 15:00:00 GMT": "Mon, 30 Nov 2026 15:00:00 GMT",
		"soon; host=db-17":              "",
		"-1":                            "",
		"99999999999":                   "",
	} {
		b := setup(t, shop(), edge.Config{}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", value)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		a := b.call(t, "create_item", creates)
		message := "the API answered 429 Too Many Requests"
		if want != "" {
			message += "; it asks to retry after " + want
			if want == "30" {
				message += " s"
			}
		}
		if got := a.envelope(t); !sameJSON(got, problemOf("createItem", 429, "upstream_429", message, false)) {
			t.Errorf("Retry-After %q: %s", value, got)
		}
		if got := a.Header.Get("Retry-After"); got != want {
			t.Errorf("Retry-After %q: handed on as %q, want %q", value, got, want)
		}
	}
}

// clause: E-13
func TestReplyBounds(t *testing.T) { // fault I39
	t.Parallel()
	const limit = 1 << 20
	note := func(bytes int) http.HandlerFunc { return respond(200, "text/plain", strings.Repeat("n", bytes)) }
	t.Run("at the bound", func(t *testing.T) {
		t.Parallel()
		b := setup(t, shop(), edge.Config{}, note(limit))
		a := b.call(t, "get_note", `{}`)
		if want := len(`{"operation_id":"getNote","status":200,"result":""}`) + limit; len(a.envelope(t)) != want {
			t.Errorf("envelope of %d bytes, want %d", len(a.envelope(t)), want)
		}
	})
	t.Run("over the bound", func(t *testing.T) {
		t.Parallel()
		for _, size := range []int{limit + 1, 8 << 20} {
			b := setup(t, shop(), edge.Config{}, note(size))
			want := problemOf("getNote", 200, "response_too_large",
				"the reply is larger than 1048576 bytes; ask for less with cursor, limit", false)
			if got := b.call(t, "get_note", `{}`).envelope(t); !sameJSON(got, want) {
				t.Errorf("%d bytes: got %.300s, want %s", size, got, want)
			}
		}
	})
	t.Run("over the bound after a write", func(t *testing.T) {
		t.Parallel()
		b := setup(t, shop(), edge.Config{}, respond(201, "application/json", `{"id":"`+strings.Repeat("n", limit)+`"}`))
		want := problemOf("createItem", 201, "response_too_large",
			"the reply is larger than 1048576 bytes; ask for less", true)
		if got := b.call(t, "create_item", creates).envelope(t); !sameJSON(got, want) {
			t.Errorf("got %.300s, want %s", got, want)
		}
	})
	t.Run("a refusal over the bound is still a refusal", func(t *testing.T) {
		t.Parallel()
		b := setup(t, shop(), edge.Config{}, respond(400, "text/plain", strings.Repeat("n", limit+1)))
		want := problemOf("createItem", 400, "upstream_400", "the API answered 400 Bad Request", false)
		if got := b.call(t, "create_item", creates).envelope(t); !sameJSON(got, want) {
			t.Errorf("got %.300s, want %s", got, want)
		}
	})
	t.Run("an envelope over its bound", func(t *testing.T) {
		t.Parallel()
		// A control character takes six bytes in JSON.
		for size, ok := range map[int]bool{690_000: true, 700_000: false} {
			b := setup(t, shop(), edge.Config{}, respond(200, "text/plain", strings.Repeat("\x01", size)))
			got := b.call(t, "get_note", `{}`).envelope(t)
			want := problemOf("getNote", 200, "response_too_large",
				"the reply is larger than 4194304 bytes; ask for less with cursor, limit", false)
			if ok != (len(got) > 4_000_000) || !ok && !sameJSON(got, want) {
				t.Errorf("%d control characters: %d bytes, %.300s", size, len(got), got)
			}
		}
	})
	t.Run("binary at the bound", func(t *testing.T) {
		t.Parallel()
		body := strings.Repeat("\xff", limit)
		b := setup(t, shop(), edge.Config{}, respond(200, "application/x-protobuf", body))
		want := `{"operation_id":"getBlob","status":200,"result":{"media_type":"application/x-protobuf","base64":"` +
			base64.StdEncoding.EncodeToString([]byte(body)) + `"}}`
		if got := b.call(t, "get_blob", `{}`).envelope(t); got != want {
			t.Errorf("a binary reply of %d bytes is not intact", limit)
		}
	})
}

// clause: E-16
func TestMessagesAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(204, "", ""))
	long := strings.Repeat("é", 2000)
	a := b.call(t, "get_item", `{"path":{"id":"x","`+long+`":1},"`+long+`":2}`)
	envelope := a.envelope(t)
	if !strings.Contains(envelope, `"code":"invalid_arguments"`) || len(envelope) > 512+100 {
		t.Errorf("%d bytes: %s", len(envelope), envelope)
	}
}
