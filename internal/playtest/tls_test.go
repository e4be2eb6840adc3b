package playtest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// certificate writes a certificate of play.example and its key.
func certificate(t *testing.T) (files map[string]string, trusted *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"play.example"}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	files = map[string]string{"certificate": filepath.Join(folder, "play.pem"), "key": filepath.Join(folder, "play-key.pem")}
	for name, block := range map[string]*pem.Block{
		"certificate": {Type: "CERTIFICATE", Bytes: der}, "key": {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(files[name], pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted = x509.NewCertPool()
	trusted.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return files, trusted
}

// TestTLS serves everybody over TLS of its own: MCP, and the pages with cookies
// that are bound to it.
//
// clause: P-09, P-47
func TestTLS(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	files, trusted := certificate(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	p := serve(t, configure(t, s.database, map[string]any{
		"listen": "0.0.0.0:" + port, "origin": "https://play.example:" + port, "tls": files,
	}))
	if p.url != "https://play.example:"+port {
		t.Errorf("it is said to be at %s", p.url)
	}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address) // whatever the name is
		},
	}
	t.Cleanup(transport.CloseIdleConnections)

	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: p.url + "/play/mcp", HTTPClient: &http.Client{Transport: bearer{s.token, transport}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	must(t, session, "get_play_context", map[string]any{})
	if err := session.Close(); err != nil {
		t.Error(err)
	}

	form := url.Values{"username": {"gm"}, "password": {s.passwords["gm"]}}.Encode()
	r, err := http.NewRequest(http.MethodPost, p.url+"/login/", strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", p.url)
	got, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, got.Body)
	_ = got.Body.Close()
	bound := false
	for _, c := range got.Cookies() {
		bound = bound || c.Name == "__Host-pharos_login" && c.Secure && c.HttpOnly && c.SameSite == http.SameSiteLaxMode && c.Path == "/"
	}
	if !bound || got.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("a login over TLS: status %d, cookies %d, %q", got.StatusCode, len(got.Cookies()), got.Header.Get("Strict-Transport-Security"))
	}
	if got, err := http.Get("http://" + address + "/readyz"); err == nil {
		_ = got.Body.Close()
		t.Errorf("without TLS: status %d", got.StatusCode)
	}
	p.stop(t)
}
