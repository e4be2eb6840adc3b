package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/internal/admission"
)

// The bounds of clients' metadata documents.
const (
	maxDocument   = 5 << 10 // bytes
	documentTime  = 5 * time.Second
	documentAge   = 10 * time.Minute // how long one is believed
	maxDocuments  = 1000             // kept at once
	documentRate  = 30               // read in a minute at the wish of one address
	documentsBusy = 16               // read at once, and of these at the wish of one address
	documentBusy  = 4
)

// documents fetches clients by the URL of their metadata document (OAuth Client
// ID Metadata Document). Who asks chooses the URL, so the broker connects to
// public addresses only, follows no redirect, believes little, and does not let
// itself be used to knock at other people's doors.
type documents struct {
	http        http.Client
	admission   admission.Admission
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

// errDocumentDown is a document that cannot be read at the moment.
var errDocumentDown = errors.New("the client's metadata document cannot be read at the moment")

func newDocuments(c Config, o Options) *documents {
	dialer := net.Dialer{Timeout: documentTime, Resolver: o.Resolver, Control: guard(c.Development)}
	return &documents{
		http: http.Client{
			Timeout: documentTime,
			Transport: &http.Transport{
				Proxy: nil, DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true,
				TLSHandshakeTimeout: documentTime, MaxResponseHeaderBytes: 16 << 10,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		admission: admission.NewMemory(admission.Limits{
			Rate: documentRate, Window: time.Minute, Key: documentBusy, All: documentsBusy, Lease: 2 * documentTime,
		}, o.Now),
		schemes: c.Schemes, development: c.Development, now: o.Now, kept: map[string]keptDocument{},
	}
}

// client gives the client of a document. Only what was right is remembered. The
// error wraps errUnknownClient or errDocumentDown.
func (d *documents) client(ctx context.Context, id, address string) (Client, error) {
	if err := d.checkID(id); err != nil {
		return Client{}, err
	}
	if c, ok := d.remembered(id); ok {
		return c, nil
	}
	release, err := d.admission.Admit(ctx, address)
	if err != nil {
		return Client{}, fmt.Errorf("%w: %w", errDocumentDown, err)
	}
	defer release()
	body, err := d.fetch(ctx, id)
	if err != nil {
		return Client{}, err
	}
	c, err := readDocument(body, id, d.schemes)
	if err != nil {
		return Client{}, fmt.Errorf("%w: its metadata document: %w", errUnknownClient, err)
	}
	d.remember(c)
	return c, nil
}

func (d *documents) remembered(id string) (Client, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	k, ok := d.kept[id]
	return k.client, ok && d.now().Before(k.expires)
}

func (d *documents) remember(c Client) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.kept) >= maxDocuments {
		clear(d.kept) // rare, and the next requests fill it again
	}
	d.kept[c.ID] = keptDocument{c, d.now().Add(documentAge)}
}

// checkID judges a client id that is a URL before anything is fetched. Its
// error wraps errUnknownClient.
func (d *documents) checkID(id string) error {
	if err := checkDocumentURL(id, d.development); err != nil {
		return fmt.Errorf("%w: its id %w", errUnknownClient, err)
	}
	return nil
}

func checkDocumentURL(id string, development bool) error {
	u, err := url.Parse(id)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || len(id) > maxClientID:
		return fmt.Errorf("must be a URL of up to %d bytes", maxClientID)
	case strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }):
		return errors.New("has a character that does not belong in a URL")
	case u.Scheme != "https" && !(development && u.Scheme == "http" && onLoopback(u)):
		return errors.New("must be https")
	case strings.Contains(id, "#") || u.User != nil:
		return errors.New("must have no fragment or user name")
	case u.Path == "" || u.Path == "/":
		return errors.New("must have a path")
	case u.Host != strings.ToLower(u.Host):
		return errors.New("must have its host in lower case")
	case hasDotSegment(u):
		return errors.New("must have no dot segments")
	}
	return nil
}

// fetch reads a document. One that is not there, or not a document, is that of
// no client; one whose server does not work may be read later.
func (d *documents) fetch(ctx context.Context, id string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, id, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: its id is no URL", errUnknownClient)
	}
	r.Header.Set("Accept", "application/json")
	reply, err := d.http.Do(r)
	if err != nil {
		return nil, unreachable(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode >= 500 || reply.StatusCode == http.StatusTooManyRequests {
		return nil, fmt.Errorf("%w: status %d", errDocumentDown, reply.StatusCode)
	}
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: its metadata document: status %d, want 200", errUnknownClient, reply.StatusCode)
	}
	media, _, err := mime.ParseMediaType(reply.Header.Get("Content-Type"))
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil, fmt.Errorf("%w: its metadata document: is not application/json", errUnknownClient)
	}
	body, err := io.ReadAll(io.LimitReader(reply.Body, maxDocument+1))
	if err != nil {
		return nil, unreachable(err)
	}
	if len(body) > maxDocument {
		return nil, fmt.Errorf("%w: its metadata document: is larger than %d bytes", errUnknownClient, maxDocument)
	}
	return body, nil
}

// unreachable says what it means that no reply came, or no whole one, without
// the address: whoever asks has written that.
func unreachable(err error) error {
	if errors.Is(err, errNotPublic) {
		return fmt.Errorf("%w: %w", errUnknownClient, errNotPublic)
	}
	if _, unresolved := errors.AsType[*net.DNSError](err); unresolved {
		return fmt.Errorf("%w: its host is not found", errDocumentDown)
	}
	if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() {
		return fmt.Errorf("%w: not in time", errDocumentDown)
	}
	return fmt.Errorf("%w: no whole reply", errDocumentDown)
}
