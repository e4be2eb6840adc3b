package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/token"
)

// keyPair writes the two files of a key that grows from one byte: NAME.json and
// NAME-keys.json.
func keyPair(t *testing.T, folder, name string, seed byte) {
	t.Helper()
	private, enrolment, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{name + ".json": private, name + "-keys.json": enrolment} {
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// checked is what check-config says of a configuration, but for what the system
// says of files.
func checked(t *testing.T, file string, services ...string) (lines []string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), append([]string{"check-config", "-config", file}, services...), nil, &stdout, &stderr)
	if right := status == 0; right != (stdout.String() == "configuration: ok\n") || right != (stderr.Len() == 0) || status > 1 {
		t.Errorf("exit status %d, stdout %q, stderr %q", status, stdout.String(), stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		line = strings.TrimSuffix(strings.TrimPrefix(line, "pharos: "), "\n")
		lines = append(lines, strings.ReplaceAll(line, filepath.Dir(file)+"/", ""))
	}
	return lines
}

// TestCheckConfig tells every mistake of every part at once.
//
// clause: E-25, E-31
func TestCheckConfig(t *testing.T) {
	t.Parallel()
	file := configFile(t, `{
		"edge": {"listen": "0.0.0.0:8080", "timeout": "25h",
			"authentication": {"mode": "oauth", "broker": {"issuer": "https://agents.example.org", "keys_file": "none.json", "resource": "https://agents.example.org/"}},
			"upstreams": {"platform": {"url": "nothing", "assertion": {"issuer": "", "key_file": "none.json"}}}},
		"broker": {"listen": "127.0.0.1:70000", "issuer": "http://agents.example.org/", "key_file": "none.json",
			"upstream": {"issuer": "http://127.0.0.1:8084", "client_id": "", "client_secret_file": "empty"},
			"identity": "http://platform.example.org", "resource": "https://agents.example.org/",
			"clients": [{"id": "", "redirect_uris": ["http://desk.example.org/"]}], "schemes": ["https"],
			"proxies": ["127.0.0.1", "0.0.0.0/0", "10.0.0.1/8", "10.0.0.0/8"]},
		"platform": {"listen": "x", "private_listen": "0.0.0.0:1", "slots": 65, "delegation": {"broker": {"issuer": "a", "keys_file": "none.json"}}},
		"devidp": {"listen": "0.0.0.0:8084"},
		"database": {"url": "postgres://db.example.org:port/x"}}`)
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "empty"), []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`edge.authentication.broker.issuer: "https://agents.example.org" is not "http://agents.example.org/", as broker.issuer says`,
		`platform.delegation.broker.issuer: "a" is not "http://agents.example.org/", as broker.issuer says`,
		"database.url: database URL: cannot parse `postgres://db.example.org:port/x`: invalid port",
		`platform.listen: "x" is not host:port`,
		`platform.private_listen: "0.0.0.0:1" is not host:port on loopback`,
		`platform.delegation.broker.keys_file: stat none.json: no such file or directory`,
		`platform.delegation.gateway.issuer: is needed`,
		`platform.delegation.gateway.keys_file: is needed`,
		`platform.slots: 65 is not from -1 to 64`,
		`devidp.listen: "0.0.0.0:8084" is not host:port on loopback`,
		`broker.listen: "127.0.0.1:70000" is not host:port`,
		`broker.key_file: stat none.json: no such file or directory`,
		`broker.upstream.client_secret_file: holds no secret`,
		`broker.proxies[0]: "127.0.0.1" is not a network such as 127.0.0.1/32`,
		`broker.proxies[1]: "0.0.0.0/0" is not a network such as 127.0.0.1/32`,
		`broker.proxies[2]: "10.0.0.1/8" is not a network such as 127.0.0.1/32`,
		`broker: issuer "http://agents.example.org/": must be https`,
		`broker: resource "https://agents.example.org/": must have a path, without a slash at the end, as https://host/mcp`,
		`broker: upstream issuer "http://127.0.0.1:8084": http on loopback is for development; switch that on, or use https`,
		`broker: upstream client id: the provider must know the broker as a client`,
		`broker: identity "http://platform.example.org": must be an https URL, or http on loopback`,
		`broker: platform "": must be an https URL, or http on loopback`,
		`broker: client "": needs redirect URIs and an id of 1 to 512 bytes without control characters`,
		`broker: client "": redirect URI "http://desk.example.org/": http is for 127.0.0.1, [::1] and localhost alone`,
		`broker: scheme "https": is not one of an application's own, in lower case and without a colon`,
		`edge.listen: "0.0.0.0:8080" is not loopback, so hosts must name what clients call this server`,
		`edge.timeout: a time is at most 24h, not 25h0m0s`,
		`edge.upstreams.platform.assertion.issuer: is needed, as the API trusts it`,
		`edge.authentication.broker: keys_file: stat none.json: no such file or directory`,
		`edge.authentication.broker: the resource "https://agents.example.org/" is not the URL of an MCP endpoint, such as https://host/mcp`,
		`edge.upstreams.platform.assertion.key_file: stat none.json: no such file or directory`,
		`edge.upstream platform: base URL must start with http:// or https://`,
	}
	if diff := cmp.Diff(want, checked(t, file)); diff != "" {
		t.Errorf("all services (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[9:10], checked(t, file, "devidp")); diff != "" {
		t.Errorf("of one service, what is wrong with others is left out (-want +got):\n%s", diff)
	}
}

// authority is a right configuration of all parts, in three files of keys.
const authority = `{
	"edge": {"authentication": {"mode": "oauth", "broker": {"issuer": "https://a.example", "keys_file": "EDGE-keys.json", "resource": "https://a.example/mcp"}},
		"upstreams": {"platform": {"url": "http://127.0.0.1:8081", "assertion": {"issuer": "GATE", "key_file": "gateway.json"}}}},
	"broker": {"issuer": "https://a.example", "key_file": "broker.json", "upstream": {"issuer": "https://login.example", "client_id": "c"},
		"identity": "http://127.0.0.1:8085/internal/mcp/identity", "platform": "https://p.example", "resource": "https://a.example/mcp"},
	"platform": {"delegation": {"broker": {"issuer": "https://a.example", "keys_file": "API-keys.json"}, "gateway": {"issuer": "https://a.example/mcp", "keys_file": "gateway-keys.json"}}},
	"database": {"url": "postgres://nobody@127.0.0.1:1/none"}}`

// TestPartsAgree finds what is wrong only of two parts together, and reaches
// nobody for it: the database of this configuration is not there.
//
// clause: E-25
func TestPartsAgree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change []string
		want   []string
	}{
		"right": {[]string{"EDGE", "broker", "API", "broker", "GATE", "https://a.example/mcp"}, nil},
		"another gateway": {[]string{"EDGE", "broker", "API", "broker", "GATE", "gate"}, []string{
			`platform.delegation.gateway.issuer: "https://a.example/mcp" is not "gate", as edge.upstreams.platform.assertion.issuer says`}},
		"old keys": {[]string{"EDGE", "old", "API", "old", "GATE", "https://a.example/mcp"}, []string{
			"edge.authentication.broker.keys_file: the key of broker.key_file is not enrolled",
			"platform.delegation.broker.keys_file: the key of broker.key_file is not enrolled"}},
		"the broker's key as the gateway's": {[]string{"EDGE", "broker", "API", "broker", "GATE", "https://a.example/mcp", `"gateway.json"`, `"broker.json"`}, []string{
			"platform.delegation.gateway.keys_file: the key of edge.upstreams.platform.assertion.key_file is not enrolled",
			"edge.upstreams.platform.assertion.key_file: the gateway's key"}},
	} {
		file := configFile(t, strings.NewReplacer(c.change...).Replace(authority))
		for seed, name := range []string{"broker", "gateway", "old"} {
			keyPair(t, filepath.Dir(file), name, byte(seed+1))
		}
		got := checked(t, file, "broker", "edge", "platform")
		for i := range min(len(got), len(c.want)) {
			if strings.HasPrefix(got[i], c.want[i]) { // kids come behind
				got[i] = c.want[i]
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestCheckConfigWritesNothing: with a private database, its folder and its keys
// are made by who serves.
func TestCheckConfigWritesNothing(t *testing.T) {
	t.Parallel()
	file := configFile(t, `{"database": {"state": "postgres"}}`)
	if lines := checked(t, file); lines != nil {
		t.Errorf("%q", lines)
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the configuration: %v, %v", left, err)
	}
}

// TestSmallFiles reads no file of a secret that might never end or be large.
func TestSmallFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	pipe, fits, large := filepath.Join(folder, "pipe"), filepath.Join(folder, "fits"), filepath.Join(folder, "large")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{fits: 16 << 10, large: 16<<10 + 1} {
		if err := os.WriteFile(name, bytes.Repeat([]byte("a"), size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{pipe, "/dev/zero", folder, large} {
		if _, err := readSmallFile(name); err == nil || err.Error() != "must be a regular file of at most 16 KiB" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if text, err := readSmallFile(fits); err != nil || len(text) != 16<<10 {
		t.Errorf("%d bytes, error %v", len(text), err)
	}
	c := brokerConfig{Upstream: upstreamConfig{ClientSecretFile: pipe}}
	if _, err := c.config(); err == nil || !strings.Contains(err.Error(), "broker.upstream.client_secret_file: must be a regular file") {
		t.Errorf("error %v", err)
	}
}
