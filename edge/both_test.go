package edge_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// both are two edges over one catalog: one that answers regular messages
// itself, and one whose SDK answers all of them.
type both struct {
	own, reference *edge.Server
	sent           [2]*wire
}

// wire is an Exchange whose replies follow from the request alone.
type wire struct{ requests []string }

func (*wire) Base(string) string { return "http://api.test" }

var replies = []struct {
	result tool.Result
	err    error
}{
	{tool.Result{Status: 200, MediaType: "application/json", Body: []byte(`{"id":"x","count":9007199254740993}`)}, nil},
	{tool.Result{Status: 200, MediaType: "application/json", Body: []byte("{ \"id\" : \"<&>\u2028\u2029\\u2028 \\\" é😀\",\n\"more\":[1 , 2]}")}, nil},
	{tool.Result{Status: 201, MediaType: "application/json", Body: []byte(`{"id":"` + strings.Repeat("long ", 4000) + `"}`)}, nil},
	{tool.Result{Status: 204}, nil},
	{tool.Result{Status: 200, MediaType: "text/markdown", Body: []byte("# Title\n\x00\x7f\xff<b>")}, nil},
	{tool.Result{Status: 200, MediaType: "application/json", Body: []byte(`{"id":1}`)}, nil},
	{tool.Result{Status: 409, MediaType: "application/json", Body: []byte(`{"aggregateId":"a","status":"rejected"}`)}, nil},
	{tool.Result{Status: 404, MediaType: "application/problem+json", Body: []byte(`{"code":"gone"}`)}, nil},
	{tool.Result{Status: 429, MediaType: "text/plain", RetryAfter: "7"}, nil},
	{tool.Result{Status: 503, RetryAfter: "no time"}, nil},
	{tool.Result{}, &tool.SendError{Sent: true, Err: io.ErrUnexpectedEOF}},
	{tool.Result{}, &tool.SendError{Err: io.ErrUnexpectedEOF}},
	{tool.Result{Status: 200}, &tool.SendError{Sent: true, Err: tool.ErrTooLarge}},
}

func (w *wire) Send(_ context.Context, op *tool.Operation, r *http.Request) (tool.Result, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	request := fmt.Sprintf("%s %s %s %v %s", op.Tool, r.Method, r.URL, r.Header, body)
	w.requests = append(w.requests, request)
	h := fnv.New32()
	_, _ = io.WriteString(h, request)
	reply := replies[h.Sum32()%uint32(len(replies))]
	return reply.result, reply.err
}

// byHeader grants the scopes that a request names.
type byHeader struct{}

func (byHeader) Authenticate(r *http.Request) (*edge.Principal, error) {
	scopes := r.Header.Get("X-Scopes")
	if scopes == "" {
		return nil, &edge.Refusal{Status: http.StatusUnauthorized, Challenge: "Bearer", Message: "who are you"}
	}
	return &edge.Principal{Subject: "test", Scopes: strings.Fields(scopes)}, nil
}

func (byHeader) ResourceMetadata() string {
	return "https://edge.test/.well-known/oauth-protected-resource/mcp"
}

func newBoth(tb testing.TB, c tool.Catalog) *both {
	tb.Helper()
	b := &both{}
	for i, s := range []**edge.Server{&b.own, &b.reference} {
		b.sent[i] = &wire{}
		var err error
		if *s, err = edge.New(edge.Config{Admission: unbounded}, c,
			edge.Options{Authenticator: byHeader{}, Exchange: b.sent[i], Version: "1"}); err != nil {
			tb.Fatal(err)
		}
	}
	edge.LeaveToSDK(b.reference)
	return b
}

// message is one request to the edge.
type message struct {
	header http.Header
	body   string
}

// compare sends a message both ways and says whether the edge answered it
// itself: only then the length of a reply is told before it is written.
func (b *both) compare(tb testing.TB, m message) (own bool) {
	tb.Helper()
	var w [2]*httptest.ResponseRecorder
	for i, s := range []*edge.Server{b.own, b.reference} {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(m.body))
		r.Header = m.header.Clone()
		w[i] = httptest.NewRecorder()
		s.ServeHTTP(w[i], r)
	}
	if length := w[0].Header().Get("Content-Length"); length != "" {
		own = true
		if length != strconv.Itoa(w[0].Body.Len()) {
			tb.Errorf("the reply has %d bytes and announces %s", w[0].Body.Len(), length)
		}
		w[0].Header().Del("Content-Length")
	}
	view := func(i int) []any {
		sent := b.sent[i].requests
		b.sent[i].requests = nil
		return []any{w[i].Code, w[i].Header(), w[i].Body.String(), sent}
	}
	if diff := cmp.Diff(view(1), view(0)); diff != "" {
		tb.Errorf("%v\n%s\n(-SDK +edge):\n%s", m.header, m.body, diff)
	}
	return own
}

// writer makes up messages, most of them with few faults.
type writer struct{ *rand.Rand }

func pick[T any](w writer, list ...T) T { return list[w.IntN(len(list))] }

// mostly is the first of the list, but for one of so many times.
func mostly[T any](w writer, odds int, usual T, others ...T) T {
	if len(others) == 0 || w.IntN(odds) > 0 {
		return usual
	}
	return pick(w, others...)
}

// object joins members in any order, with space between.
func (w writer) object(members ...string) string {
	members = slices.DeleteFunc(members, func(m string) bool { return m == "" })
	w.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	space := mostly(w, 8, "", " ", "\n\t ")
	return "{" + space + strings.Join(members, space+","+space) + space + "}"
}

var metaOf = func(version string) string {
	return `"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{}`
}

func (w writer) meta(version string) string {
	if version != "2026-07-28" {
		return mostly(w, 4, "", `{}`, `{"progressToken":1}`, `{"progressToken":"a-1","note/id":"x y"}`, `{"note":-7}`,
			`{"progressToken":""}`, `{"progressToken":1.5}`, `{"progressToken":1e999}`, `{"progressToken":9007199254740993}`,
			`{"progressToken":true}`, `{"progressToken":"\u0061"}`, `{"progressToken":"é"}`, `{"progressToken":1,"progressToken":2}`,
			`{`+w.notes()+`}`, `{`+w.notes()+`}`, `{`+w.notes()+`}`, `null`, `[]`, `{"x":{"y":1}}`, `{`+metaOf("2026-07-28")+`}`, `{`+metaOf("2025-11-25")+`}`)
	}
	plain := metaOf(version)
	return mostly(w, 6, `{`+plain+`}`,
		`{`+plain+`,"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}`,
		`{`+plain+`,"io.modelcontextprotocol/clientInfo":{"name":1}}`,
		`{`+plain+`,"io.modelcontextprotocol/logLevel":"debug"}`,
		`{`+plain+`,"progressToken":"t"}`,
		`{`+plain+`,`+w.notes()+`}`, `{`+w.notes()+`,`+plain+`}`, `{`+w.notes()+`, `+plain+`,`+w.notes()+`}`,
		`{`+strings.Replace(plain, "{}", `{"sampling":{},"roots":{"listChanged":true}}`, 1)+`}`,
		`{`+strings.Replace(plain, "{}", `{"sampling":1}`, 1)+`}`,
		`{`+strings.Replace(plain, "{}", `null`, 1)+`}`,
		`{`+strings.Replace(plain, "2026", `\u0032026`, 1)+`}`,
		`{`+strings.Replace(plain, "2026", `2027`, 1)+`}`,
		`{`+plain+`,`+plain+`}`,
		`{`+strings.Replace(plain, "protocolV", "protocolv", 1)+`}`,
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`, `{}`, `null`, `"x"`, ``)
}

// notes are what clients put into _meta for themselves, most of it without a
// meaning to the SDK.
func (w writer) notes() string {
	value := mostly(w, 6, pick(w, `"a-1"`, strconv.Itoa(w.IntN(1000)), `true`, `null`, `{"city":"Zürich","at":[47.37,-8.54]}`, `[]`, `"1e999"`),
		`1e999`, `{"x":1e999}`, `[123456789012345678901]`, `"\ud800"`, `"\u0000"`, `{"io.modelcontextprotocol/logLevel":"x"}`, `-0.0`, `1.5`)
	name := pick(w, `"progressToken"`, `"traceparent"`, `"tracestate"`, `"baggage"`, `"client/x"`, `""`, `"ProgressToken"`,
		`"io.modelcontextprotocol/logLevel"`, `"io.modelcontextprotocol/subscriptionId"`, `"io.modelcontextprotocol/serverInfo"`, `"x.modelcontextprotocol/y"`)
	return name + mostly(w, 8, ":", " : ") + value
}

func (w writer) arguments(name string) string {
	usual := `{}`
	switch name {
	case "get_item", "delete_item":
		usual = `{"path":{"id":"` + strconv.Itoa(w.IntN(40)) + `"}}`
	case "create_item":
		usual = `{"path":{"id":"` + strconv.Itoa(w.IntN(40)) + `"},"parameters":{"Idempotency-Key":"k"},"body":{"name":"\u00e9<"}}`
	case "check_item":
		usual = ` {"body":{"count":` + strconv.Itoa(w.IntN(40)) + `, "name":""}}`
	case "list_items":
		usual = `{"parameters":{"limit":` + strconv.Itoa(w.IntN(40)) + `.0}}`
	}
	return mostly(w, 5, usual, ``, `null`, `[]`, `"{}"`, `{"path":{"id":".."}}`, `{"path":{"id":"\ud800"}}`, `{"x":1}`,
		`{"path":{"id":"a","id":"b"}}`, `{"path":{"id":"`+panicID+`"}}`, `{"path":`+strings.Repeat("[", 62)+strings.Repeat("]", 62)+`}`,
		`{"path":{"id":"`+strings.Repeat("y", 65<<10)+`"}}`, `{"path":{"id":"a<b&c\"\u2028"},"z<":0}`)
}

// message makes up one.
func (w writer) message() message {
	version := pick(w, "2025-11-25", "2025-11-25", "2026-07-28", "2026-07-28", "2026-07-28", "")
	method := mostly(w, 12, pick(w, "tools/call", "tools/call", "tools/call", "tools/list"),
		"ping", "server/discover", "prompts/list", "resources/read", "initialize", "no/such", "Tools/call", "notifications/initialized", "")
	name := mostly(w, 20, pick(w, "get_item", "create_item", "delete_item", "check_item", "get_note", "get_blob", "list_items"), "no_such", "Get_item", "")
	var params []string
	if method == "tools/call" || w.IntN(20) == 0 {
		params = append(params, mostly(w, 25, `"name":"`+name+`"`, `"Name":"x"`, `"n\u0061me":"get_item"`, `"name":null`, `"name":1`, ``))
		if a := w.arguments(name); a != "" {
			params = append(params, mostly(w, 25, `"arguments":`+a, `"ARGUMENTS":{}`, `"argument\u0073":{}`))
		}
	}
	if meta := w.meta(version); meta != "" {
		params = append(params, mostly(w, 25, `"_meta":`+meta, `"_META":`+meta))
	}
	params = append(params, mostly(w, 20, "", `"cursor":""`, `"cursor":"x"`, `"name":"get_item"`, `"requestState":"s"`, `"inputResponses":{}`, `"x":[1,{}]`))
	text := w.object(
		mostly(w, 25, `"jsonrpc":"2.0"`, `"jsonrpc":"1.0"`, `"jsonrpc":2.0`, ``, `"JSONRPC":"2.0"`),
		`"id":`+mostly(w, 8, pick(w, "1", `"a-1"`, "0", "-7"), `"é"`, `"<&>"`, `"\u0061"`, "1.0", "1e2", "1.5", "null", "9007199254740991",
			"9007199254740993", "-0", `{}`, `true`, `""`, `"`+"\u2028"+`"`, `"\ud800"`),
		mostly(w, 30, `"method":"`+method+`"`, `"method":"t\u006fols/call"`, `"Method":"tools/call"`, ``, `"method":1`, `"method":null`),
		mostly(w, 30, `"params":`+w.object(params...), `"params":null`, `"params":[]`, ``, `"Params":{}`, `"params":"x"`),
		mostly(w, 40, "", `"id":2`, `"result":{}`, `"error":{}`, `"x":{}`, `"method":"tools/list"`),
	)
	switch w.IntN(30) {
	case 0: // one byte is another
		at := w.IntN(len(text))
		text = text[:at] + string(rune(w.IntN(0x80))) + text[at+1:]
	case 1:
		text = text[:w.IntN(len(text))]
	case 2:
		text += pick(w, " ", "\n", "x", "{}", "\x00", ",")
	case 3:
		text = pick(w, "["+text+"]", "\ufeff"+text, " "+text, "", "null", `"x"`, "[]", "1")
	}
	return message{w.headers(version, method, name), text}
}

func (w writer) headers(version, method, name string) http.Header {
	h := http.Header{
		"Content-Type": {mostly(w, 30, "application/json", "application/json; charset=utf-8", "text/plain", "", "Application/JSON")},
		"Accept": {mostly(w, 20, "application/json, text/event-stream", "*/*", "text/event-stream,application/json", "application/json",
			"application/*, text/*", "application/json;q=0.5, text/event-stream", "application/json, text/event-stream, x/y", "")},
		"X-Scopes": {mostly(w, 3, "shop:read shop:write notes:read", "shop:read", "notes:read shop:write", "other", "")},
	}
	if version = mostly(w, 25, version, "2025-03-26", "2024-11-05", "2026-07-29", "x", "2026-07-28 "); version != "" {
		h["Mcp-Protocol-Version"] = []string{version}
	}
	if version >= "2026-07-28" || w.IntN(20) == 0 {
		h["Mcp-Method"] = []string{mostly(w, 25, method, "tools/list", "x", "")}
		if method == "tools/call" || w.IntN(20) == 0 {
			h["Mcp-Name"] = []string{mostly(w, 25, name, "get_item", "=?base64?Z2V0X2l0ZW0=?=", "")}
		}
	}
	if w.IntN(25) == 0 {
		extra := pick(w, "Last-Event-Id", "Mcp-Session-Id", "Mcp-Name", "Mcp-Method", "Accept", "Content-Type", "Mcp-Protocol-Version", "Mcp-Param-X")
		h[extra] = append(h[extra], "x")
	}
	return h
}

// clause: E-14, E-15, E-16, E-17, E-19, E-21
func TestBothWays(t *testing.T) {
	t.Parallel()
	const workers, each = 4, 1500
	for seed := range uint64(workers) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			b, w := newBoth(t, shop()), writer{rand.New(rand.NewPCG(seed, 3))}
			own := 0
			for range each {
				if b.compare(t, w.message()) {
					own++
				}
				if t.Failed() {
					t.FailNow()
				}
			}
			if own < each/5 {
				t.Errorf("the edge answered %d of %d messages itself", own, each)
			}
		})
	}
}

// What clients note for themselves, another thing in each call, keeps none from
// the shorter way.
//
// clause: E-14
func TestQuietMeta(t *testing.T) {
	t.Parallel()
	b := newBoth(t, shop())
	for i := range 3 {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			for meta, own := range map[string]bool{
				``: true,
				fmt.Sprintf(`"progressToken":%d,"client/call":"c-%d"`, i, i):                                        true,
				fmt.Sprintf(`"progressToken":"p-%d","client/place":{"city":"Zürich","at":[47.3%d,null]}`, i, i):     true,
				fmt.Sprintf(`"traceparent":"00-%032x-%016x-01","tracestate":"a=%d,b=c","baggage":"k=v;p"`, i, 9, i): true,
				`"progressToken":1.5`: false, `"client/call":1e999`: false, `"io.modelcontextprotocol/x":1`: false,
			} {
				if version == "2026-07-28" {
					meta = strings.TrimSuffix(metaOf(version)+","+meta, ",")
				}
				m := message{http.Header{
					"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
					"X-Scopes": {"shop:read"}, "Mcp-Protocol-Version": {version},
				}, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":{"path":{"id":"1"}},"_meta":{` + meta + `}}}`}
				if version == "2026-07-28" {
					m.header["Mcp-Method"], m.header["Mcp-Name"] = []string{"tools/call"}, []string{"get_item"}
				}
				if got := b.compare(t, m); got != own && i > 0 { // the SDK lets the first one pass
					t.Errorf("%s, %s: the edge answered itself: %v, want %v", version, meta, got, own)
				}
			}
		}
	}
}

// A handler catalog's results have other shapes.
func TestBothWaysBare(t *testing.T) {
	t.Parallel()
	c := shop()
	c.Bare = true
	c.Dispatch = func(_ context.Context, _ tool.Exchange, op *tool.Operation, arguments []byte) (tool.Result, error) {
		switch op.Tool {
		case "get_item":
			return tool.Result{MediaType: "application/json", Body: []byte("{ \"id\": \"<\u2028>\" }")}, nil
		case "get_blob":
			return tool.Result{MediaType: "image/png; x=y", Body: []byte{0, 1, 2, 0xff}, Image: true}, nil
		case "delete_item":
			return tool.Result{}, nil
		case "check_item":
			return tool.Result{Body: []byte(`{"id":1}`)}, nil
		default:
			return tool.Result{}, fmt.Errorf("%s: %w", op.Tool, tool.ErrUnknown)
		}
	}
	b, w := newBoth(t, c), writer{rand.New(rand.NewPCG(1, 2))}
	own := 0
	for range 600 {
		if b.compare(t, w.message()) {
			own++
		}
	}
	if own < 100 {
		t.Errorf("the edge answered %d messages itself", own)
	}
}

// FuzzDispatch holds our reading of a message against the SDK's: what is
// dispatched and what comes back must be the same.
func FuzzDispatch(f *testing.F) {
	w := writer{rand.New(rand.NewPCG(7, 7))}
	for range 200 {
		m := w.message()
		if len(m.body) < 2000 {
			f.Add(m.body, m.header.Get("Mcp-Protocol-Version"), m.header.Get("Mcp-Method"), m.header.Get("Mcp-Name"))
		}
	}
	b := newBoth(f, shop())
	f.Fuzz(func(t *testing.T, body, version, method, name string) {
		m := message{http.Header{
			"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
			"X-Scopes": {"shop:read shop:write notes:read"},
		}, body}
		for header, value := range map[string]string{"Mcp-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": name} {
			if value != "" {
				m.header[header] = []string{value}
			}
		}
		b.compare(t, m)
	})
}
