package edge

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// Credentials are the gateway's own static secrets for the API of one document
// (E-56). The zero value puts none on a request.
type Credentials struct {
	base     *url.URL
	document tool.Document
	secrets  map[string]string // by scheme
}

// errForeignOrigin is a request that would carry a secret to another origin
// than the one it was configured for.
var errForeignOrigin = errors.New("request leaves the configured origin")

// NewCredentials reads the secret files, by security scheme, that are for the
// document's API at base. Its error is Problems.
func NewCredentials(document tool.Document, base string, files map[string]string) (*Credentials, error) {
	var ps Problems
	origin, err := url.Parse(base)
	if err != nil {
		ps.addf("url: not a URL")
	}
	c := &Credentials{base: origin, document: document, secrets: map[string]string{}}
	for _, scheme := range slices.Sorted(maps.Keys(files)) {
		secret, err := readSecret(files[scheme])
		if err != nil {
			ps.addf("credentials.%s: %v", scheme, err)
		}
		c.secrets[scheme] = secret
	}
	if len(ps) > 0 {
		return nil, ps
	}
	return c, nil
}

// Apply puts the secrets of the first alternative that is configured in full
// where their schemes say. An operation that needs none gets none, and so does
// one whose schemes are not configured: the upstream then says what it thinks.
func (c *Credentials) Apply(_ context.Context, r *http.Request, op *tool.Operation) error {
	alternatives := op.Security
	if alternatives == nil {
		alternatives = c.document.Security
	}
	i := slices.IndexFunc(alternatives, func(schemes []string) bool {
		return len(schemes) > 0 && !slices.ContainsFunc(schemes, func(s string) bool { return c.secrets[s] == "" })
	})
	if i < 0 {
		return nil
	}
	for _, name := range alternatives[i] {
		if r.URL.Scheme != c.base.Scheme || r.URL.Host != c.base.Host {
			return errForeignOrigin
		}
		at := slices.IndexFunc(c.document.Schemes, func(s tool.Scheme) bool { return s.Name == name })
		if at < 0 {
			return fmt.Errorf("security scheme %q is not in the catalog", name)
		}
		put(r, c.document.Schemes[at], c.secrets[name])
	}
	return nil
}

// put writes one secret into the request, over whatever stands there.
func put(r *http.Request, s tool.Scheme, secret string) {
	if strings.EqualFold(s.Prefix, "Basic ") {
		secret = base64.StdEncoding.EncodeToString([]byte(secret))
	}
	value := s.Prefix + secret
	switch s.In {
	case "header":
		r.Header.Set(s.Key, value)
	case "query":
		// Only this name is touched: the rest stays as the operation's styles
		// wrote it, which url.Values would not keep.
		pairs := slices.DeleteFunc(strings.Split(r.URL.RawQuery, "&"), func(pair string) bool {
			name, _, _ := strings.Cut(pair, "=")
			name, err := url.QueryUnescape(name)
			return pair == "" || err == nil && name == s.Key
		})
		pairs = append(pairs, url.QueryEscape(s.Key)+"="+url.QueryEscape(value))
		r.URL.RawQuery = strings.Join(pairs, "&")
	case "cookie":
		r.AddCookie(&http.Cookie{Name: s.Key, Value: value})
	}
}
