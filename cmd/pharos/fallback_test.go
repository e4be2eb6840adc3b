package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/pg"
)

// TestNoFallback leaves something out of a configuration that is for others
// than this machine, beside a private database. What is missing is said, and
// nothing for development takes its place.
//
// clause: E-25, E-31
func TestNoFallback(t *testing.T) {
	t.Parallel()
	const known = `"issuer": "https://a.example", "keys_file": "broker-keys.json", "resource": "https://a.example/mcp"`
	missing := []string{
		"broker.key_file: is needed; make one with pharos keygen",
		`broker: resource "": must be a URL`,
		`broker: upstream issuer "": must be a URL`,
		"broker: upstream client id: the provider must know the broker as a client",
		`broker: identity "": must be an https URL, or http on loopback`,
		`broker: platform "": must be an https URL, or http on loopback`,
	}
	for name, c := range map[string]struct {
		text     string
		services []string
		want     []string
	}{
		"a broker's address alone": {`{"broker": {"issuer": "https://a.example"}}`, []string{"broker"}, missing},
		"a broker and its platform": {`{"broker": {"issuer": "https://a.example"}}`, []string{"broker", "platform"},
			append([]string{"platform.delegation: is needed, as the broker asks the platform who somebody is"}, missing...)},
		"an edge for others, without a gateway's key": {`{"edge": {"authentication": {"mode": "oauth", "broker": {` + known + `}}}}`,
			[]string{"edge"}, []string{"edge.upstreams.platform.assertion: is needed in mode oauth"}},
		"an edge of this machine, without one": {`{"edge": {"authentication": {"mode": "oauth", "broker": {
			"issuer": "http://127.0.0.1:8080", "keys_file": "broker-keys.json", "resource": "http://127.0.0.1:8080/mcp"}}}}`,
			[]string{"edge"}, []string{"edge.upstreams.platform.assertion: is needed in mode oauth"}},
		"an edge that others reach, with a token for all": {`{"edge": {"listen": "0.0.0.0:8080", "hosts": ["a.example"]}}`,
			[]string{"edge", "platform"}, []string{"edge.upstreams.platform.credentials: are needed, as the platform answers nobody else"}},
		"keys of the broker's that are not those for development": {`{"edge": {"authentication": {"mode": "oauth", "broker": {
			"issuer": "http://127.0.0.1:8080", "keys_file": "broker-keys.json", "resource": "http://127.0.0.1:8080/mcp"}}}}`,
			[]string{"broker", "edge"}, []string{"edge.authentication.broker.keys_file: the key of broker.key_file is not enrolled"}},
		"the provider for development, to be reached by others": {`{"broker": {"listen": "0.0.0.0:8080", "issuer": "http://127.0.0.1:8080"}}`,
			[]string{"broker"}, []string{`broker.listen: "0.0.0.0:8080" is not host:port on loopback`}},
		"nothing, on this machine": {`{}`, services, nil},
	} {
		file := configFile(t, c.text[:1]+`"database": {"state": "state"}`+comma(c.text)+c.text[1:])
		folder := filepath.Dir(file)
		keyPair(t, folder, "broker", 1)
		if err := os.MkdirAll(filepath.Join(folder, "state"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tokenFileIn(filepath.Join(folder, "state")), []byte("a-token-for-development\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, checked(t, file, c.services...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestNobodyMadeUp gives the people of development to a private database of
// this machine and to no other.
//
// clause: E-31
func TestNobodyMadeUp(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{}`: true,
		`{"broker": {"issuer": "http://127.0.0.1:8080"}}`:                                                  true,
		`{"broker": {"issuer": "http://localhost:8080"}}`:                                                  true,
		`{"broker": {"issuer": "https://a.example"}}`:                                                      false,
		`{"broker": {"issuer": "http://10.0.0.1:8080"}}`:                                                   false,
		`{"edge": {"hosts": ["localhost"]}}`:                                                               true,
		`{"edge": {"hosts": ["a.example"]}}`:                                                               false,
		`{"edge": {"listen": "0.0.0.0:8080", "hosts": ["localhost"]}}`:                                     false,
		`{"broker": {"issuer": "a.example"}}`:                                                              false,
		`{"edge": {"authentication": {"broker": {"issuer": "https://a.example"}}}}`:                        false,
		`{"platform": {"delegation": {"broker": {"issuer": "https://a.example", "keys_file": "a.json"}}}}`: false,
	} {
		c, err := loadConfig(configFile(t, text))
		if err != nil {
			t.Fatal(err)
		}
		for folder, want := range map[string]bool{"state": want, "": false} {
			a := assembly{config: c, database: &pg.DB{Folder: folder}}
			if got := a.developing(); got != want {
				t.Errorf("%s, private database %q: %t", text, folder, got)
			}
		}
	}
}

func comma(object string) string {
	if object == "{}" {
		return ""
	}
	return ", "
}
