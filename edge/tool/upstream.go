package tool

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// UpstreamConfig is how the API of one document is reached.
type UpstreamConfig struct {
	// BaseURL is scheme, host and base path. Every request goes below it,
	// whatever the document's servers say (E-54).
	BaseURL string
	// Timeout bounds a call from dialling to the last byte of its reply; zero
	// means DefaultTimeout.
	Timeout time.Duration
	// Reply bounds the bytes of a reply's body, decompressed; zero means
	// DefaultReply.
	Reply int
	// Apply puts the gateway's own authority on a request (E-56). It may change
	// headers and the query. Nil puts none.
	Apply func(ctx context.Context, request *http.Request, op *Operation) error
	// TLS is for https; nil means the system's certificate authorities.
	TLS *tls.Config
	// UserAgent names the gateway; "" means "pharos".
	UserAgent string
}

// DefaultTimeout bounds a call unless its upstream says otherwise.
const DefaultTimeout = 30 * time.Second

// Upstream is the Exchange of a catalog: one HTTP attempt a call, without
// redirects, cookies, a proxy from the environment or a silent repetition
// (E-18). It is safe for concurrent use.
type Upstream struct {
	targets map[string]*target
}

var _ Exchange = (*Upstream)(nil)

// NewUpstream checks the configuration of every document's upstream, by the
// document's name, and reports all faults at once. It connects to nothing.
func NewUpstream(configs map[string]UpstreamConfig) (*Upstream, error) {
	u := &Upstream{targets: make(map[string]*target, len(configs))}
	var faults []error
	for _, document := range slices.Sorted(maps.Keys(configs)) {
		t, err := newTarget(configs[document])
		if err != nil {
			faults = append(faults, fmt.Errorf("upstream %s: %w", document, err))
		}
		u.targets[document] = t
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return u, nil
}

// Base implements Exchange. The base of an unknown document is "".
func (u *Upstream) Base(document string) string {
	if t := u.targets[document]; t != nil {
		return t.base
	}
	return ""
}

// Send implements Exchange. Every error is a *SendError. With one that comes
// after the reply's head, such as ErrTooLarge, the Result holds the status.
func (u *Upstream) Send(ctx context.Context, op *Operation, request *http.Request) (Result, error) {
	t := u.targets[op.Document]
	if t == nil {
		return Result{}, &SendError{Err: fmt.Errorf("document %q has no upstream", op.Document)}
	}
	ctx, cancel := context.WithTimeout(ctx, t.config.Timeout)
	defer cancel()
	return t.send(ctx, cancel, op, request)
}

// Close closes the connections that are not in use.
func (u *Upstream) Close() {
	for _, t := range u.targets {
		t.transport.CloseIdleConnections()
	}
}
