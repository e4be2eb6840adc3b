package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// secretFiles writes one file for each secret and returns their names.
func secretFiles(t *testing.T, secrets map[string]string) map[string]string {
	t.Helper()
	folder, files := t.TempDir(), map[string]string{}
	for name, secret := range secrets {
		files[name] = filepath.Join(folder, name)
		if err := os.WriteFile(files[name], []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestLoadConfig(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "edge.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"listen":"127.0.0.1:9","timeout":"5s","authentication":{"token_file":"token"},
		"upstreams":{"shop":{"url":"http://a","timeout":"1m","credentials":{"header":"keys/a","basic":"/b"}}}}`)
	got, err := edge.LoadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	want := edge.Config{
		Listen: "127.0.0.1:9", Timeout: edge.Duration(5e9),
		Authentication: edge.Authentication{TokenFile: filepath.Join(folder, "token")},
		Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a", Timeout: edge.Duration(60e9),
			Credentials: map[string]string{"header": filepath.Join(folder, "keys/a"), "basic": "/b"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	write(`{"listn":"x","timeout":"5s","upstreams":{"shop":{"URL":"http://a"}}}`)
	_, err = edge.LoadConfig(file)
	if err == nil || !strings.Contains(err.Error(), "listn: unknown member") ||
		!strings.Contains(err.Error(), `upstreams.shop.URL: unknown member, did you mean "url"`) {
		t.Errorf("got %v, want both unknown members", err)
	}
	write(`{"timeout":5,"listen":8080,"upstreams":{"shop":{"timeout":"1 day"}}}`)
	_, err = edge.LoadConfig(file)
	problems := file + `: timeout: a duration is a string such as "30s", not 5
listen: expected a string, got 8080
upstreams.shop.timeout: a duration is written like "30s" or "1m30s", not "1 day"`
	if err == nil || err.Error() != problems {
		t.Errorf("got %v, want %s", err, problems)
	}
}

func TestNewReportsEveryProblem(t *testing.T) {
	t.Parallel()
	secrets := secretFiles(t, map[string]string{"short": "abc", "empty": "", "lines": "a\nb\n",
		"padded": " a\n", "marked": "\uFEFFa", "cookie": "a;b\n"})
	for name, c := range map[string]struct {
		config edge.Config
		want   []string
	}{
		"the configuration": {edge.Config{
			Listen: "0.0.0.0:8080", Path: "mcp", Origins: []string{"app.example.org"},
			Authentication: edge.Authentication{Mode: "anonymous", TokenFile: "x", Scopes: []string{"shop:fly"}},
			Upstreams: map[string]edge.Upstream{
				"shop": {URL: "http://a", Credentials: map[string]string{"nope": "x"}}, "bank": {URL: "http://b"},
			},
		}, []string{
			`listen: "0.0.0.0:8080" is not loopback, so hosts must name what clients call this server`,
			`authentication.mode: anonymous is for loopback only, and listen is "0.0.0.0:8080"`,
			`path: "mcp" is not the path of a URL`,
			`origins[0]: "app.example.org" is not an origin such as https://app.example.org`,
			`authentication.token_file: an anonymous caller has no token`,
			`authentication.scopes[0]: no tool of the catalog needs "shop:fly"`,
			`upstreams.bank: the catalog has no such document`,
			`upstreams.shop.credentials.nope: the document has no such security scheme`,
		}},
		"everything at once": {edge.Config{
			Path: "mcp", Hosts: []string{"tools.example.org", "::1", "a:80", "https://a", "", "*", "a/b", "fe80::1%eth0"},
			Authentication: edge.Authentication{TokenFile: secrets["empty"]},
			Upstreams: map[string]edge.Upstream{
				"shop": {URL: "ftp://a", Credentials: map[string]string{"header": secrets["lines"]}},
			},
		}, []string{
			`path: "mcp" is not the path of a URL`,
			`hosts[2]: "a:80" is not the name of a host alone, such as tools.example.org`,
			`hosts[3]: "https://a" is not the name of a host alone, such as tools.example.org`,
			`hosts[4]: "" is not the name of a host alone, such as tools.example.org`,
			`hosts[5]: "*" is not the name of a host alone, such as tools.example.org`,
			`hosts[6]: "a/b" is not the name of a host alone, such as tools.example.org`,
			`hosts[7]: "fe80::1%eth0" is not the name of a host alone, such as tools.example.org`,
			"authentication.token_file: the secret file is empty",
			"upstreams.shop.credentials.header: the secret file holds more than one line",
			"upstream shop: base URL must start with http:// or https://",
		}},
		"secrets that would not arrive": {edge.Config{
			Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a:99999", Credentials: map[string]string{
				"header": secrets["padded"], "query": secrets["marked"], "basic": secrets["short"], "crumb": secrets["cookie"],
			}}},
		}, []string{
			"upstreams.shop.credentials.basic: the secret of the Basic scheme is user:password",
			"upstreams.shop.credentials.crumb: the secret cannot be the value of a cookie",
			"upstreams.shop.credentials.header: the secret begins or ends with white space or a byte order mark",
			"upstreams.shop.credentials.query: the secret begins or ends with white space or a byte order mark",
			"upstream shop: base URL must have a port of at most 65535, or none",
		}},
		"nothing": {edge.Config{}, []string{
			`upstreams: document "shop" has no upstream; add its URL (or -upstream shop=URL)`,
		}},
		"values": {edge.Config{Listen: "8080", Authentication: edge.Authentication{Mode: "open"},
			Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a"}}}, []string{
			`listen: "8080" is not host:port`,
			`authentication.mode: "open" is none of oauth, token and anonymous`,
		}},
		"secrets": {edge.Config{
			Authentication: edge.Authentication{TokenFile: secrets["short"]},
			Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a", Credentials: map[string]string{
				"header": secrets["empty"], "query": secrets["lines"], "basic": t.TempDir(),
			}}},
		}, []string{
			"authentication.token_file: a token is at least 16 visible ASCII characters",
			"upstreams.shop.credentials.basic: a secret file is a regular file of at most 16 KiB",
			"upstreams.shop.credentials.header: the secret file is empty",
			"upstreams.shop.credentials.query: the secret file holds more than one line",
		}},
		"the URL": {edge.Config{Upstreams: map[string]edge.Upstream{"shop": {URL: "ftp://a"}}}, []string{
			"upstream shop: base URL must start with http:// or https://",
		}},
	} {
		_, err := edge.New(c.config, shop(), edge.Options{})
		var got []string
		if err != nil {
			got = strings.Split(err.Error(), "\n")
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestContradictingAnnotationsAreRefused(t *testing.T) {
	t.Parallel()
	c := shop()
	for i := range c.Operations {
		c.Operations[i].Effect = tool.Read
	}
	config := edge.Config{Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a"}}}
	if _, err := edge.New(config, c, edge.Options{}); err != nil {
		t.Errorf("files without annotations: %v", err)
	}
	c.Schemas = annotated{c.Schemas, "delete_item", `"annotations":{"readOnlyHint":false},`}
	_, err := edge.New(config, c, edge.Options{})
	if err == nil || !strings.Contains(err.Error(), `schemas/delete_item.json: its annotations contradict the effect "read"`) {
		t.Errorf("got %v, want the contradiction", err)
	}
}

func TestAnonymousIsForLoopback(t *testing.T) {
	t.Parallel()
	for addr, ok := range map[net.Addr]bool{
		&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}: true,
		&net.TCPAddr{IP: net.IPv6loopback}:       true,
		&net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}:  false,
		&net.TCPAddr{IP: net.IPv4zero}:           false,
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, addr))
		if _, err := (edge.Anonymous{}).Authenticate(r); (err == nil) != ok {
			t.Errorf("at %v: %v, want ok %v", addr, err, ok)
		}
	}
	s, err := edge.New(edge.Config{Authentication: edge.Authentication{Mode: "anonymous"}}, tool.Catalog{Name: "none"}, edge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), elsewhere{}); err == nil || !strings.Contains(err.Error(), "not loopback") {
		t.Errorf("served a listener off loopback: %v", err)
	}
}

// elsewhere is a listener at an address that is not local.
type elsewhere struct{ net.Listener }

func (elsewhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8080} }
func (elsewhere) Close() error   { return nil }

func TestAnnounce(t *testing.T) {
	t.Parallel()
	_, keys := keyFiles(t, 1)
	broker := edge.Broker{Issuer: brokerIssuer, KeysFile: keys, Resource: resource}
	upstreams := map[string]edge.Upstream{"shop": {URL: "http://a"}}
	file := secretFiles(t, map[string]string{"token": "a-token-out-of-a-file\n"})["token"]
	for name, c := range map[string]struct {
		auth edge.Authentication
		want string
	}{
		"made at start": {edge.Authentication{}, `^Bearer pharos_edge_[A-Z2-7]{26}$`},
		"from a file":   {edge.Authentication{TokenFile: file}, `^Bearer <the token in ` + regexp.QuoteMeta(file) + `>$`},
		"anonymous":     {edge.Authentication{Mode: "anonymous"}, `^$`},
		"a broker":      {edge.Authentication{Mode: "oauth", Broker: broker}, `^$`},
	} {
		s, err := edge.New(edge.Config{Authentication: c.auth, Upstreams: upstreams}, shop(), edge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := s.Announce(&out, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}); err != nil {
			t.Fatal(err)
		}
		head, configuration, _ := strings.Cut(out.String(), "{")
		if want := "MCP: http://127.0.0.1:8080/mcp (7 tools)\nMCP client configuration:\n"; head != want {
			t.Errorf("%s: got %q, want %q", name, head, want)
		}
		var parsed struct {
			Servers map[string]struct {
				Type    string
				URL     string
				Headers map[string]string
			} `json:"mcpServers"`
		}
		if err := json.Unmarshal([]byte("{"+configuration), &parsed); err != nil {
			t.Fatal(err)
		}
		server, url := parsed.Servers["shop"], "http://127.0.0.1:8080/mcp"
		if c.auth.Mode == "oauth" {
			url = resource // all that a client needs
		}
		if server.Type != "http" || server.URL != url ||
			!regexp.MustCompile(c.want).MatchString(server.Headers["Authorization"]) {
			t.Errorf("%s: %+v", name, server)
		}
	}
}
