package edge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// clause: E-13, E-34
func TestRefusalsNameTheirMessage(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(204, "", ""))
	large := `{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`
	deep := strings.Repeat("[", 33) + strings.Repeat("]", 33)
	for name, c := range map[string]struct {
		message string
		header  http.Header
		status  int
		id      string
	}{
		"no token":         {`{"jsonrpc":"2.0","id":"a","method":"ping"}`, http.Header{"Authorization": nil}, 401, `"a"`},
		"another token":    {`{"method":"ping","id":7}`, http.Header{"Authorization": {"Bearer x"}}, 401, "7"},
		"too large":        {large, nil, 413, `"a"`},
		"too deep":         {`{"params":` + deep + `,"jsonrpc":"2.0","method":"ping","id":7}`, nil, 400, "7"},
		"too many":         {`{"id":7,"params":[` + strings.Repeat("0,", 20_000) + `0]}`, nil, 400, "7"},
		"a method twice":   {`{"id":7,"method":"ping","method":"ping"}`, nil, 400, "7"},
		"an id twice":      {`{"id":7,"id":7,"method":"ping"}`, nil, 400, ""},
		"an id of no use":  {`{"id":7.5,"method":"ping"}`, nil, 400, ""},
		"not JSON":         {`{"id":7,"method":"ping"`, nil, 400, "7"},
		"the SDK's":        {`{"jsonrpc":"2.0","id":"a","method":"no/such"}`, nil, 400, `"a"`},
		"another protocol": {`{"jsonrpc":"1.0","id":"a","method":"ping"}`, nil, 400, `"a"`},
	} {
		a := b.post(t, "2025-11-25", c.message, c.header)
		if a.Status != c.status || a.Error == nil || a.Error.Code != c.status || string(a.ID) != c.id {
			t.Errorf("%s: status %d, %.300s; want %d and the id %s", name, a.Status, a.Body, c.status, c.id)
		}
	}
}

// What one reader of a body could take for another tool or other arguments
// than the next one does is not dispatched at all.
//
// clause: E-10, E-21
func TestOneReading(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(204, "", ""))
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":` + withID + `}}`
	for _, change := range [][2]string{
		{`"name":"get_item"`, `"name":"get_item","name":"create_item"`},
		{`"name":"get_item"`, `"name":"get_item","Name":"create_item"`},
		{`"name":"get_item"`, `"name":"get_item","n\u0061me":"create_item"`},
		{`"name":"get_item"`, `"name":"get_item","N\u0041ME":"create_item"`},
		{`"arguments":`, `"arguments":{},"arguments":`},
		{`"arguments":`, `"Arguments":`},
		{`"method":`, `"method":"ping","method":`},
		{`"method":`, `"METHOD":"ping","method":`},
		{`"params":`, `"params":{},"params":`},
		{`"params":`, "\"param\u017f\":{},\"params\":"},
		{`}}}`, `}}}{}`},
		{`}}}`, "}}}\x00"},
		{`{"jsonrpc"`, "\ufeff{\"jsonrpc\""},
		{call, "[" + call + "]"},
		{call, "[" + call + "," + call + "]"},
		{`"get_item"`, "\"get_item\xff\""},
		{`"get_item"`, `"get_item\ud800"`},
	} {
		message := strings.Replace(call, change[0], change[1], 1)
		if a := b.post(t, "2025-11-25", message, nil); a.Status != 400 || a.Error == nil {
			t.Errorf("%s: status %d, %s", message, a.Status, a.Body)
		}
	}
	if n := b.sent.Load(); n != 0 {
		t.Errorf("the upstream saw %d requests", n)
	}
	if a := b.post(t, "2025-11-25", call, nil); a.Status != 200 || b.sent.Load() != 1 {
		t.Errorf("the message itself: status %d, %s", a.Status, a.Body)
	}
}

// A header that decides something has one value, whichever of two a program in
// front would take.
//
// clause: E-10, E-21
func TestOneReadingOfHeaders(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(200, "application/json", `{"id":"x"}`))
	for _, era := range eras {
		call := fmt.Sprintf(askItem, 1)
		if era == "2026-07-28" {
			call = strings.Replace(call, `"arguments"`, `"_meta":{`+metaOf(era)+`},"arguments"`, 1)
		}
		plain := http.Header{"Mcp-Method": {"tools/call"}, "Mcp-Name": {"get_item"}}
		if a := b.post(t, era, call, plain); a.Status != 200 {
			t.Fatalf("%s: the message itself: status %d, %s", era, a.Status, a.Body)
		}
		for header, values := range map[string][]string{
			"Mcp-Name":             {"get_item", "delete_item"},
			"Mcp-Method":           {"tools/call", "tools/call"},
			"Mcp-Protocol-Version": {era, "2025-06-18"},
			"Mcp-Session-Id":       {"a", "b"},
			"Mcp-Param-Id":         {"a", "b"},
			"Last-Event-Id":        {"a", "b"},
			"Content-Type":         {"application/json", "text/plain"},
			"Content-Encoding":     {"gzip"},
		} {
			headers := plain.Clone()
			headers[header] = values
			a := b.post(t, era, call, headers)
			if a.Status != 400 && a.Status != 415 || a.Error == nil || a.Error.Code != a.Status || string(a.ID) != "1" {
				t.Errorf("%s: %s: %q: status %d, %s", era, header, values, a.Status, a.Body)
			}
		}
	}
	if n := b.sent.Load(); n != int64(len(eras)) {
		t.Errorf("the upstream saw %d requests", n)
	}
}

// clause: E-18, E-19
func TestWithinTime(t *testing.T) {
	t.Parallel()
	const limit = 10 * time.Second
	for name, c := range map[string]struct {
		tool     string
		dispatch func(context.Context) (tool.Result, error)
		status   int
		says     []string
	}{
		"a read that does not end": {"get_item", func(context.Context) (tool.Result, error) {
			time.Sleep(time.Hour)
			return tool.Result{Status: 204}, nil
		}, 504, []string{`"id":1`, `"code":504`, "did not finish in time\""}},
		"a write that does not end": {"delete_item", func(context.Context) (tool.Result, error) {
			time.Sleep(time.Hour)
			return tool.Result{Status: 204}, nil
		}, 504, []string{`"id":1`, `"code":504`, "the outcome is unknown"}},
		"a write that ends when told": {"delete_item", func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, &tool.SendError{Sent: true, Err: ctx.Err()}
		}, 200, []string{`"outcome_unknown":true`, "upstream_timeout"}},
	} {
		for _, sdk := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", SDK ", sdk), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					catalog := shop()
					catalog.Dispatch = func(ctx context.Context, _ tool.Exchange, _ *tool.Operation, _ []byte) (tool.Result, error) {
						return c.dispatch(ctx)
					}
					s, err := edge.New(edge.Config{Timeout: edge.Duration(limit)}, catalog,
						edge.Options{Authenticator: byHeader{}, Exchange: &wire{}})
					if err != nil {
						t.Fatal(err)
					}
					if sdk {
						edge.LeaveToSDK(s)
					}
					start, w := time.Now(), httptest.NewRecorder()
					message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + c.tool + `","arguments":` + withID + `}}`
					r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(message))
					r.Header = http.Header{
						"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
						"X-Scopes": {"shop:read shop:write"}, "Mcp-Protocol-Version": {"2025-11-25"},
					}
					s.ServeHTTP(w, r)
					took := time.Since(start)
					if w.Code != c.status || !json.Valid(w.Body.Bytes()) || took > limit+3*time.Second {
						t.Errorf("status %d after %v: %s", w.Code, took, w.Body)
					}
					for _, part := range c.says {
						if !strings.Contains(w.Body.String(), part) {
							t.Errorf("%s does not say %s", w.Body, part)
						}
					}
					time.Sleep(2 * time.Hour)
				})
			})
		}
	}
}
