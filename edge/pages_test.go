package edge_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
)

// TestPages answers the browser of a page that is listed, at the endpoint
// alone, and no other's.
//
// clause: E-34
func TestPages(t *testing.T) {
	t.Parallel()
	const listed, headers = "https://app.example.org", "authorization,mcp-param-region"
	b := setup(t, shop(), edge.Config{Origins: []string{"https://b.example", listed}}, respond(204, "", ""))
	closed := setup(t, shop(), edge.Config{}, respond(204, "", ""))
	asking := func(origins ...string) http.Header {
		return http.Header{"Origin": origins, "Access-Control-Request-Method": {"POST"}}
	}
	nothing := []string{"", "", "", ""}
	readable := []string{listed, "Mcp-Session-Id, Retry-After, WWW-Authenticate", "", ""}
	for name, c := range map[string]struct {
		url, method string
		header      http.Header
		status      int
		want        []string // origin, exposed, methods, headers
	}{
		"asking first": {b.url, "OPTIONS", http.Header{"Origin": {listed}, "Access-Control-Request-Method": {"POST"},
			"Access-Control-Request-Headers": {headers}}, 204, []string{listed, readable[1], "DELETE, GET, POST", headers}},
		"asking for no header": {b.url, "OPTIONS", asking(listed), 204, []string{listed, readable[1], "DELETE, GET, POST", ""}},
		"no question":          {b.url, "OPTIONS", http.Header{"Origin": {listed}}, 401, readable},
		"without token":        {b.url, "POST", http.Header{"Origin": {listed}}, 401, readable},
		"another page":         {b.url, "OPTIONS", asking(listed + ".evil.example"), 403, nothing},
		"two origins":          {b.url, "OPTIONS", asking(listed, "https://b.example"), 403, nothing},
		"a program":            {b.url, "POST", http.Header{}, 401, nothing},
		"another address":      {b.url + "/x", "OPTIONS", asking(listed), 404, nothing},
		"nothing is listed":    {closed.url, "OPTIONS", asking(listed), 403, nothing},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = c.header
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		var got []string
		for _, header := range []string{"Allow-Origin", "Expose-Headers", "Allow-Methods", "Allow-Headers"} {
			got = append(got, reply.Header.Get("Access-Control-"+header))
		}
		if d := cmp.Diff(c.want, got); d != "" || reply.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d (-want +got):\n%s", name, reply.StatusCode, c.status, d)
		}
		if varies := reply.Header.Get("Vary") == "Origin"; varies != (c.url == b.url) {
			t.Errorf("%s: Vary %q", name, reply.Header.Get("Vary"))
		}
	}
}
