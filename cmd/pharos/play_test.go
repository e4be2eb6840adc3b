package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// certificate writes a certificate of 127.0.0.1 and its key: a.pem and a.key.
func certificate(t *testing.T, folder string) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"a.pem": {Type: "CERTIFICATE", Bytes: der}, "a.key": {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// TestCheckPlay tells every mistake of play's part at once, and lets nothing
// unencrypted off loopback.
//
// clause: P-09, P-38
func TestCheckPlay(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	const (
		bare   = ` is not loopback, so play.tls or play.behind_tls_proxy is needed`
		needed = `play.origin: is needed with TLS, as https://play.example`
		plain  = `play.origin: "http://a.example"`
	)
	for name, c := range map[string]struct {
		play string
		want []string
	}{
		"nothing": {`{}`, nil},
		"everything": {`{"listen":"127.0.0.1:9","origin":"http://localhost:9","hosts":["play"],
			"proxies":["127.0.0.1","10.0.0.0/8"],"redis_file":"redis",
			"admission":{"token_per_minute":-1,"token_concurrency":1,"concurrency":1000000,"address_per_minute":-1},
			"statement_timeout":"1ms","lock_timeout":"1h","deadline":"1s","body_timeout":"1s"}`, nil},
		"loopback of IPv6":      {`{"listen":"[::1]:0"}`, nil},
		"every address":         {`{"listen":"0.0.0.0:8082"}`, []string{`play.listen: "0.0.0.0:8082"` + bare}},
		"every address, unsaid": {`{"listen":":8082"}`, []string{`play.listen: ":8082"` + bare}},
		"one address":           {`{"listen":"192.0.2.1:8082"}`, []string{`play.listen: "192.0.2.1:8082"` + bare}},
		"a name":                {`{"listen":"play.example:8082"}`, []string{`play.listen: "play.example:8082"` + bare}},
		"every address of IPv6": {`{"listen":"[::]:8082"}`, []string{`play.listen: "[::]:8082"` + bare}},
		"behind a proxy":        {`{"listen":"0.0.0.0:8082","origin":"https://play.example","behind_tls_proxy":true}`, nil},
		"with TLS":              {`{"listen":":8082","origin":"https://a.example:8082","tls":{"certificate":"a.pem","key":"a.key"}}`, nil},
		"TLS, and where is it":  {`{"listen":":8082","behind_tls_proxy":true}`, []string{needed}},
		"TLS, and not":          {`{"origin":"http://a.example","behind_tls_proxy":true}`, []string{plain + ` is not https, as it is with TLS`}},
		"no TLS, and not on loopback": {`{"origin":"http://a.example"}`, []string{
			plain + ` is not http on loopback, so play.tls or play.behind_tls_proxy is needed`}},
		"no TLS, and yet": {`{"origin":"https://localhost"}`, []string{
			`play.origin: "https://localhost" is not http on loopback, so play.tls or play.behind_tls_proxy is needed`}},
		"an origin with a path": {`{"origin":"http://localhost/"}`, []string{
			`play.origin: "http://localhost/" is not an origin such as https://play.example`}},
		"half a certificate": {`{"origin":"https://a.example","tls":{"certificate":"a.pem","key":""}}`, []string{`play.tls.key: is needed`}},
		"a certificate for a key": {`{"origin":"https://a.example","tls":{"certificate":"a.pem","key":"a.pem"}}`, []string{
			`play.tls: tls: found a certificate rather than a key in the PEM for the private key`}},
		"a URL for a file": {`{"redis_file":"redis://127.0.0.1:1"}`, []string{
			`play.redis_file: name a file that holds the URL, which is a secret`}},
		"no file":                  {`{"redis_file":"none"}`, []string{`play.redis_file: stat none: no such file or directory`}},
		"a file of something else": {`{"redis_file":"a.key"}`, []string{`play.redis_file: `}},
		"what the edges find": {`{"hosts":["https://a"]}`, []string{
			`play.hosts[0]: "https://a" is not the name of a host alone, such as tools.example.org`}},
		"all at once": {`{"listen":"x","origin":"x","tls":{"certificate":"","key":""},"hosts":["a/b"],"proxies":["0.0.0.0/0","y"],
			"admission":{"token_per_minute":-2,"token_concurrency":-1,"concurrency":1000001,"address_per_minute":-2},
			"statement_timeout":"1us","lock_timeout":"61m","deadline":"2h","body_timeout":"100h"}`, []string{
			`play.listen: "x" is not host:port`,
			`play.origin: "x" is not an origin such as https://play.example`,
			`play.proxies[0]: "0.0.0.0/0" is not an address or a network such as 10.0.0.0/8`,
			`play.proxies[1]: "y" is not an address or a network such as 10.0.0.0/8`,
			`play.admission.token_per_minute: -2 is not -1 or from 1 to 1000000`,
			`play.admission.token_concurrency: -1 is not from 1 to 1000000`,
			`play.admission.concurrency: 1000001 is not from 1 to 1000000`,
			`play.admission.address_per_minute: -2 is not -1 or from 1 to 1000000`,
			`play.statement_timeout: 1µs is not from 1ms to 1h0m0s`,
			`play.lock_timeout: 1h1m0s is not from 1ms to 1h0m0s`,
			`play.deadline: 2h0m0s is not from 1ms to 1h0m0s`,
			`play.body_timeout: 100h0m0s is not from 1ms to 1h0m0s`,
			`play.hosts[0]: "a/b" is not the name of a host alone, such as tools.example.org`,
		}},
	} {
		file := configFile(t, `{"play":`+c.play+`,"database":{"url":"postgres://nobody@127.0.0.1:1/none"}}`)
		certificate(t, filepath.Dir(file))
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), "redis"), []byte("redis://127.0.0.1:1/0\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := checked(t, file, "play")
		for i := range min(len(got), len(c.want)) {
			if strings.HasSuffix(c.want[i], ": ") && strings.HasPrefix(got[i], c.want[i]) {
				got[i] = c.want[i]
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if c.want == nil {
			continue
		}
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), []string{"serve", "-config", file, "play"}, nil, &stdout, &stderr)
		if status != 1 || stdout.Len() > 0 {
			t.Errorf("%s: serves with status %d: %s", name, status, stdout.String())
		}
	}
}

// TestRedisURL is from the environment unless a file has one.
func TestRedisURL(t *testing.T) {
	t.Setenv("REDIS_URL", "ftp://127.0.0.1:1")
	file := configFile(t, `{"database":{"url":"postgres://nobody@127.0.0.1:1/none"}}`)
	if got := checked(t, file, "play"); len(got) != 1 || !strings.HasPrefix(got[0], "REDIS_URL: ") {
		t.Errorf("%q", got)
	}
	secret := configFile(t, "redis://127.0.0.1:1/0\n")
	file = configFile(t, fmt.Sprintf(`{"play":{"redis_file":%q},"database":{"url":"postgres://nobody@127.0.0.1:1/none"}}`, secret))
	if got := checked(t, file, "play"); got != nil {
		t.Errorf("%q", got)
	}
}

// TestPlayDefaults are those of the contract.
//
// clause: P-26, P-36, P-38
func TestPlayDefaults(t *testing.T) {
	t.Parallel()
	c, err := loadConfig("")
	if err != nil {
		t.Fatal(err)
	}
	got := c.Play.withDefaults()
	want := playConfig{
		Listen: "127.0.0.1:8082", Deadline: 25e9, BodyTimeout: 10e9,
		Admission: playAdmission{TokenPerMinute: 60, TokenConcurrency: 2, Concurrency: 8, AddressPerMinute: 600},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := fmt.Sprintf("%s %v %v", c.Play.url(), c.Play.secure(), c.Play.forOthers()); got != "http://127.0.0.1:8082 false false" {
		t.Errorf("%s", got)
	}
}
