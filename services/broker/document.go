package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// The bounds of a client's metadata document.
const (
	maxDocument    = 5 << 10 // bytes
	documentTime   = 5 * time.Second
	documentAge    = 10 * time.Minute // how long one is believed
	maxDocuments   = 1000             // kept at once
	maxDocumentURL = maxClientID
)

// documents fetches clients by the URL of their metadata document (OAuth Client
// ID Metadata Document). Who asks chooses the URL, so the broker connects to
// public addresses only, follows no redirect and believes little.
type documents struct {
	http        http.Client
	schemes     []string
	development bool
	now         func() time.Time

	mu   sync.Mutex
	kept map[string]keptDocument
}

type keptDocument struct {
	client  Client
	expires time.Time
}

// metadataDocument is what of a document means something here.
type metadataDocument struct {
	ID             *string  `json:"client_id"`
	Name           *string  `json:"client_name"`
	Redirects      []string `json:"redirect_uris"`
	Authentication *string  `json:"token_endpoint_auth_method"`
	Secret         any      `json:"client_secret"`
}

func newDocuments(c Config, now func() time.Time) *documents {
	dialer := net.Dialer{Timeout: documentTime, Control: func(_, address string, _ syscall.RawConn) error {
		return checkAddress(address, c.Development)
	}}
	return &documents{
		http: http.Client{
			Timeout: documentTime,
			Transport: &http.Transport{
				Proxy: nil, DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true,
				TLSHandshakeTimeout: documentTime, MaxResponseHeaderBytes: 16 << 10,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		schemes: c.Schemes, development: c.Development, now: now, kept: map[string]keptDocument{},
	}
}

// checkAddress judges an address after the name has been resolved, at each
// connection, so that no name can lead inside.
func checkAddress(address string, development bool) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := to.Addr().Unmap()
	if development && ip.IsLoopback() {
		return nil
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || special(ip) {
		return fmt.Errorf("%s is not a public address", ip)
	}
	return nil
}

// specialNetworks are global by form and reach private or shared networks, or
// carry an IPv4 address inside (IANA special-purpose registries).
var specialNetworks = func() (list []netip.Prefix) {
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
		"3fff::/20", "5f00::/16", "fec0::/10",
	} {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}()

func special(ip netip.Addr) bool {
	for _, network := range specialNetworks {
		if network.Contains(ip) {
			return true
		}
	}
	return false
}

// client gives the client of a document. Only what was right is remembered.
func (d *documents) client(ctx context.Context, id string) (Client, error) {
	if err := d.checkID(id); err != nil {
		return Client{}, fmt.Errorf("%w: its id %w", errUnknownClient, err)
	}
	d.mu.Lock()
	k, ok := d.kept[id]
	d.mu.Unlock()
	if ok && d.now().Before(k.expires) {
		return k.client, nil
	}
	c, err := d.fetch(ctx, id)
	if err != nil {
		return Client{}, fmt.Errorf("%w: its metadata document: %w", errUnknownClient, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.kept) >= maxDocuments {
		clear(d.kept) // rare, and the next requests fill it again
	}
	d.kept[id] = keptDocument{c, d.now().Add(documentAge)}
	return c, nil
}

// checkID judges a client id that is a URL before anything is fetched.
func (d *documents) checkID(id string) error {
	u, err := url.Parse(id)
	switch {
	case err != nil || u.Host == "" || len(id) > maxDocumentURL:
		return fmt.Errorf("must be a URL of up to %d bytes", maxDocumentURL)
	case u.Scheme != "https" && !(d.development && u.Scheme == "http" && onLoopback(u)):
		return errors.New("must be https")
	case strings.Contains(id, "#") || u.User != nil:
		return errors.New("must have no fragment or user name")
	case u.Path == "" || u.Path == "/":
		return errors.New("must have a path")
	case u.Host != strings.ToLower(u.Host):
		return errors.New("must have its host in lower case")
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if segment == "." || segment == ".." {
			return errors.New("must have no dot segments")
		}
	}
	return nil
}

func (d *documents) fetch(ctx context.Context, id string) (Client, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, id, nil)
	if err != nil {
		return Client{}, err
	}
	r.Header.Set("Accept", "application/json")
	reply, err := d.http.Do(r)
	if err != nil {
		return Client{}, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return Client{}, fmt.Errorf("status %d, want 200", reply.StatusCode)
	}
	media, _, err := mime.ParseMediaType(reply.Header.Get("Content-Type"))
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return Client{}, errors.New("is not application/json")
	}
	body, err := io.ReadAll(io.LimitReader(reply.Body, maxDocument+1))
	if err != nil {
		return Client{}, err
	}
	if len(body) > maxDocument {
		return Client{}, fmt.Errorf("is larger than %d bytes", maxDocument)
	}
	var m metadataDocument
	if err := strictjson.Known(body, &m); err != nil {
		return Client{}, err
	}
	return m.client(id, d.schemes)
}

// client judges a document that was fetched from id.
func (m metadataDocument) client(id string, schemes []string) (Client, error) {
	if m.ID == nil || *m.ID != id {
		return Client{}, errors.New("client_id is not its own URL")
	}
	if m.Secret != nil || m.Authentication != nil && *m.Authentication != "none" {
		return Client{}, errors.New("a client with a public document has no secret; token_endpoint_auth_method must be none")
	}
	if err := (registration{Redirects: m.Redirects}).check(schemes); err != nil {
		return Client{}, err
	}
	name := ""
	if m.Name != nil {
		name = *m.Name
	}
	return Client{ID: id, Name: called(name, id), Redirects: m.Redirects}, nil
}
