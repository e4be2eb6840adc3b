package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/token"
)

// keysFile writes the public key that grows from one byte into a folder.
func keysFile(t *testing.T, folder, name string, seed byte) {
	t.Helper()
	_, enrolment, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), enrolment, 0o600); err != nil {
		t.Fatal(err)
	}
}

// signers is a delegation's member of a configuration.
func signers(broker, brokerKeys, gateway, gatewayKeys string) string {
	return fmt.Sprintf(`"delegation":{"broker":{"issuer":%q,"keys_file":%q},"gateway":{"issuer":%q,"keys_file":%q}},`,
		broker, brokerKeys, gateway, gatewayKeys)
}

// TestDelegation reads the keys of both, beside the configuration, and tells
// every mistake at once.
//
// clause: E-25
func TestDelegation(t *testing.T) {
	t.Parallel()
	private, _, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{3}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	keysFile(t, folder, "broker.json", 1)
	keysFile(t, folder, "gateway.json", 2)
	enrolled, err := os.ReadFile(filepath.Join(folder, "broker.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"largest.json": string(enrolled) + strings.Repeat(" ", 16<<10-len(enrolled)),
		"private.json": `{"keys":[` + string(private) + `]}`, "large.json": strings.Repeat(" ", 16<<10+1), "empty.json": `{"keys":[]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		config string // of the platform
		want   []string
	}{
		"nothing":      {``, nil},
		"an empty one": {`"delegation":{},`, nil},
		"both":         {signers("a", "broker.json", "b", "gateway.json"), nil},
		"the same key for both": {signers("a", "broker.json", "b", "broker.json"), []string{
			"platform.delegation: the gateway's key",
		}},
		"one of them": {`"delegation":{"broker":{"issuer":"a","keys_file":"broker.json"}},`, []string{
			"platform.delegation.gateway.issuer: is needed", "platform.delegation.gateway.keys_file: is needed",
		}},
		"no issuer": {signers("", "broker.json", "b", "gateway.json"), []string{"platform.delegation.broker.issuer: is needed"}},
		"private keys": {signers("a", "private.json", "b", "gateway.json"), []string{
			"platform.delegation.broker.keys_file: enrolled keys: an unknown member",
		}},
		"no keys, and a folder": {signers("a", "empty.json", "b", "."), []string{
			"platform.delegation.broker.keys_file: enrolled keys: keys must list",
			"platform.delegation.gateway.keys_file: must be a regular file",
		}},
		"a large file, and none": {signers("a", "large.json", "b", "none.json"), []string{
			"platform.delegation.broker.keys_file: must be a regular file of at most 16 KiB",
			"platform.delegation.gateway.keys_file: stat",
		}},
		"the largest file": {signers("a", "largest.json", "b", "gateway.json"), nil},
		"and all else": {`"origin":"x","slots":-2,` + signers("a", "broker.json", "", "broker.json"), []string{
			"platform.listen:", `platform.origin: "x"`, "platform.slots: -2", "platform.delegation: the gateway's key",
			"platform.delegation.gateway.issuer: is needed",
		}},
	} {
		file := filepath.Join(folder, "pharos.json")
		listen := "127.0.0.1:1"
		if name == "and all else" {
			listen = "x"
		}
		if err := os.WriteFile(file, []byte(`{"platform":{`+c.config+`"listen":"`+listen+`"}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, err := loadConfig(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var lines []string
		if err := loaded.Platform.check(); err != nil {
			lines = strings.Split(err.Error(), "\n")
		}
		for _, want := range c.want {
			found := false
			for _, line := range lines {
				found = found || strings.HasPrefix(line, want)
			}
			if !found {
				t.Errorf("%s: %q does not say %q", name, lines, want)
			}
		}
		if len(lines) != len(c.want) {
			t.Errorf("%s: %q, want %d lines", name, lines, len(c.want))
		}
	}
	if _, err := loadConfig(configFile(t, `{"platform":{"delegation":{"broker":{"issuer":"a","keys":"b"}}}}`)); err == nil {
		t.Error("an unknown member is taken")
	}
}
