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
		origin = &url.URL{} // no request goes there
	}
	c := &Credentials{base: origin, document: document, secrets: map[string]string{}}
	for _, scheme := range slices.Sorted(maps.Keys(files)) {
		at := slices.IndexFunc(document.Schemes, func(s tool.Scheme) bool { return s.Name == scheme })
		if at < 0 {
			continue // of no use; the configuration's check says so
		}
		secret, err := readSecret(files[scheme])
		if err == nil {
			err = fits(document.Schemes[at], secret)
		}
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

// fits refuses a secret that would not arrive as it stands in its file, or not
// as a secret of its scheme.
func fits(s tool.Scheme, secret string) error {
	switch {
	case strings.EqualFold(s.Prefix, "Basic ") && !strings.Contains(secret, ":"):
		return errors.New("the secret of the Basic scheme is user:password")
	case s.Prefix != "" && len(secret) > len(s.Prefix) && strings.EqualFold(secret[:len(s.Prefix)], s.Prefix):
		return fmt.Errorf("the secret stands without %q in front", strings.TrimSpace(s.Prefix))
	case s.In == "cookie" && strings.ContainsAny(secret, "\" ,;\\"):
		return errors.New("the secret cannot be the value of a cookie")
	}
	return nil
}

// Apply puts the secrets of the first alternative that is configured in full
// where their schemes say. An operation that needs none gets none, and so does
// one whose schemes are not configured: the upstream then says what it thinks.
// What arguments put in the place of a secret is taken out in any case (E-04).
func (c *Credentials) Apply(_ context.Context, r *http.Request, op *tool.Operation) error {
	for _, s := range c.document.Schemes {
		vacate(r, s)
	}
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

// put writes one secret into its place in the request.
func put(r *http.Request, s tool.Scheme, secret string) {
	if strings.EqualFold(s.Prefix, "Basic ") {
		secret = base64.StdEncoding.EncodeToString([]byte(secret))
	}
	value := s.Prefix + secret
	switch s.In {
	case "header":
		r.Header.Set(s.Key, value)
	case "query":
		r.URL.RawQuery = joined(r.URL.RawQuery, "&", url.QueryEscape(s.Key)+"="+url.QueryEscape(value))
	case "cookie":
		r.Header.Set("Cookie", joined(r.Header.Get("Cookie"), "; ", s.Key+"="+value))
	}
}

func joined(list, separator, pair string) string {
	if list == "" {
		return pair
	}
	return list + separator + pair
}

// vacate takes a scheme's place out of a request: members of an argument that
// names parameters freely may have come to stand there.
func vacate(r *http.Request, s tool.Scheme) {
	switch s.In {
	case "query":
		r.URL.RawQuery = without(r.URL.RawQuery, "&", s.Key)
	case "cookie":
		if list := without(r.Header.Get("Cookie"), "; ", s.Key); list != "" {
			r.Header.Set("Cookie", list)
		} else {
			r.Header.Del("Cookie")
		}
	}
}

// without leaves out the pairs of a name. The others stay as the operation's
// styles wrote them, which url.Values would not keep.
func without(list, separator, name string) string {
	if list == "" {
		return ""
	}
	return strings.Join(slices.DeleteFunc(strings.Split(list, separator), func(pair string) bool {
		key, _, _ := strings.Cut(pair, "=")
		key, err := url.QueryUnescape(key)
		return err == nil && key == name
	}), separator)
}
