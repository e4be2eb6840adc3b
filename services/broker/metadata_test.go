package broker_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// metadataPaths are where clients look.
var metadataPaths = []string{
	"/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/mcp",
	"/.well-known/openid-configuration", "/.well-known/openid-configuration/mcp", "/mcp/.well-known/openid-configuration",
}

// clause: E-30
func TestMetadata(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	want := l.browser().get(l.url + metadataPaths[0]).body
	t.Run("D01 does not follow what a request says of its host", func(t *testing.T) {
		l := l.in(t)
		for _, path := range metadataPaths {
			for name, value := range map[string]string{
				"Host": "evil.test", "X-Forwarded-Host": "evil.test", "X-Forwarded-Proto": "ftp", "Forwarded": "host=evil.test",
			} {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.url+path, nil)
				if name == "Host" {
					r.Host = value
				} else {
					r.Header.Set(name, value)
				}
				got := l.browser().do(r, err)
				if got.body != want || got.Header.Get("Content-Type") != "application/json" {
					t.Errorf("%s with %s: %s %s", path, name, got.Header.Get("Content-Type"), got.body)
				}
			}
		}
	})
	t.Run("D02 offers what it does and nothing more", func(t *testing.T) {
		var m map[string]any
		if err := json.Unmarshal([]byte(want), &m); err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]any{
			"issuer": l.url, "response_types_supported": []any{"code"}, "response_modes_supported": []any{"query"},
			"token_endpoint_auth_methods_supported": []any{"none"}, "code_challenge_methods_supported": []any{"S256"},
			"grant_types_supported": []any{"authorization_code", "refresh_token"}, "registration_endpoint": l.url + "/register",
			"authorization_response_iss_parameter_supported": true, "client_id_metadata_document_supported": true,
			"scopes_supported": []any{"runs:read", "support:read", "support:write", "offline_access"},
		} {
			got, _ := json.Marshal(m[name])
			wanted, _ := json.Marshal(value)
			if string(got) != string(wanted) {
				t.Errorf("%s: got %s, want %s", name, got, wanted)
			}
		}
		for name, value := range m {
			if value == nil || strings.HasSuffix(name, "_endpoint") && !strings.HasPrefix(value.(string), l.url+"/") {
				t.Errorf("%s is %v", name, value)
			}
		}
	})
	t.Run("D03 sends iss with every answer, as it says", func(t *testing.T) {
		l := l.in(t)
		b := l.browser()
		wrong := l.request()
		wrong.Set("response_type", "token")
		page := b.get(l.url + "/authorize?" + l.request().Encode())
		for name, r := range map[string]reply{
			"success":       b.login(b.consent(l.request()), "member"),
			"wrong request": b.get(l.url + "/authorize?" + wrong.Encode()),
			"denied":        b.post(l.url+"/consent", url.Values{"handle": {handleOf(t, page.body)}, "answer": {"deny"}}),
			"login refused": b.login(b.consent(l.request()), ""),
		} {
			if got := answerOf(t, r)["iss"]; !slices.Equal(got, []string{l.url}) {
				t.Errorf("%s: iss %v", name, got)
			}
		}
	})
	t.Run("is for scripts of any origin", func(t *testing.T) {
		l := l.in(t)
		for path, method := range map[string]string{metadataPaths[0]: "GET", "/jwks": "GET", "/token": "POST", "/revoke": "POST", "/register": "POST"} {
			got := l.browser().do(http.NewRequestWithContext(t.Context(), http.MethodOptions, l.url+path, nil))
			if got.StatusCode != http.StatusNoContent || got.Header.Get("Access-Control-Allow-Origin") != "*" ||
				got.Header.Get("Access-Control-Allow-Methods") != method || got.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s: status %d, %v", path, got.StatusCode, got.Header)
			}
			got = l.browser().do(http.NewRequestWithContext(t.Context(), http.MethodPut, l.url+path, nil))
			if got.StatusCode != http.StatusMethodNotAllowed || got.Header.Get("Content-Type") != "application/json" {
				t.Errorf("PUT %s: status %d, %v", path, got.StatusCode, got.Header)
			}
		}
		for _, path := range []string{"/authorize", "/consent", "/callback"} {
			got := l.browser().do(http.NewRequestWithContext(t.Context(), http.MethodOptions, l.url+path, nil))
			if got.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s is for scripts of other origins", path)
			}
		}
	})
	t.Run("closed for registration and documents", func(t *testing.T) {
		t.Parallel()
		l := newLab(t, closed)
		var m map[string]any
		if err := json.Unmarshal([]byte(l.browser().get(l.url+metadataPaths[0]).body), &m); err != nil {
			t.Fatal(err)
		}
		if _, has := m["registration_endpoint"]; has || m["client_id_metadata_document_supported"] != false {
			t.Errorf("got %v", m)
		}
		if got := l.browser().post(l.url+"/register", nil); got.StatusCode != http.StatusNotFound {
			t.Errorf("registering: status %d", got.StatusCode)
		}
		q := l.request()
		q.Set("client_id", "https://client.test/c.json")
		if got := l.browser().get(l.url + "/authorize?" + q.Encode()); got.StatusCode != http.StatusBadRequest {
			t.Errorf("a document: status %d", got.StatusCode)
		}
	})
}
