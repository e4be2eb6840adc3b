package broker

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// Config is what a broker needs to know. Check finds every mistake in it.
type Config struct {
	Issuer       string         // its own URL: an origin without a path (RFC 8414)
	Resource     string         // the one protected resource: the gateway's MCP URL (RFC 8707)
	ResourceName string         // what a person calls it
	Scopes       Scopes         // what may be granted
	Upstream     Upstream       // who logs people in
	Identity     string         // URL of the platform's POST /internal/mcp/identity
	Platform     string         // where a person finishes the ordinary login, for a link
	Clients      []Client       // known beforehand
	Schemes      []string       // private-use schemes that redirect URIs may have, as cursor
	Closed       bool           // no client may register itself
	NoDocuments  bool           // client ids that are URLs are not fetched
	Development  bool           // http on loopback for issuer, provider and documents
	Proxies      []netip.Prefix // whose X-Forwarded-For is believed
	Signer       *token.Signer
}

// Upstream is the OpenID provider that logs people in.
type Upstream struct {
	Issuer       string
	ClientID     string
	ClientSecret string // "" for a public client
}

// The lifetimes of what the broker issues.
const (
	requestTime = 10 * time.Minute     // to give consent and log in
	codeTime    = 60 * time.Second     // contract E-33
	accessTime  = token.LifetimeAccess // contract E-22
	refreshTime = 14 * 24 * time.Hour  // unused
	grantTime   = 90 * 24 * time.Hour  // from the login, however often refreshed
	graceTime   = 120 * time.Second    // contract E-30
)

// schemeForm is a scheme as a parsed URL has it (RFC 3986, 3.1).
var schemeForm = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)

// publicSchemes mean something to browsers themselves, or to everybody's
// programs.
var publicSchemes = []string{
	"about", "blob", "chrome", "data", "file", "filesystem", "ftp", "http", "https", "intent", "javascript", "mailto", "sms", "tel",
	"urn", "vbscript", "view-source", "ws", "wss",
}

// Check returns every mistake, one a line, each with what to do.
func (c Config) Check() (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if err := checkURL(c.Issuer, c.Development); err != nil {
		say("issuer %q: %v", c.Issuer, err)
	} else if u, _ := url.Parse(c.Issuer); u.Path != "" {
		say("issuer %q: must be an origin, without a path or a slash at the end", c.Issuer)
	} else if c.Development && !onLoopback(u) {
		say("issuer %q: in development it is on loopback", c.Issuer)
	}
	if err := checkURL(c.Resource, c.Development); err != nil {
		say("resource %q: %v", c.Resource, err)
	} else if u, _ := url.Parse(c.Resource); len(u.Path) < 2 || strings.HasSuffix(u.Path, "/") {
		say("resource %q: must have a path, without a slash at the end, as https://host/mcp", c.Resource)
	}
	if err := checkURL(c.Upstream.Issuer, c.Development); err != nil {
		say("upstream issuer %q: %v", c.Upstream.Issuer, err)
	}
	if c.Upstream.ClientID == "" {
		say("upstream client id: the provider must know the broker as a client")
	}
	for _, at := range []struct{ member, url string }{{"identity", c.Identity}, {"platform", c.Platform}} {
		u, err := url.Parse(at.url)
		if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && onLoopback(u)) {
			say("%s %q: must be an https URL, or http on loopback", at.member, at.url)
		}
	}
	for _, problem := range c.Scopes.check() {
		say("scopes: %s", problem)
	}
	for i, client := range c.Clients {
		if slices.ContainsFunc(c.Clients[:i], func(before Client) bool { return before.ID == client.ID }) {
			say("client %q: stands twice", client.ID)
		}
		if !plain(client.ID) || len(client.Redirects) == 0 {
			say("client %q: needs redirect URIs and an id of 1 to %d bytes without control characters", client.ID, maxClientID)
		}
		for _, uri := range client.Redirects {
			if err := checkRedirect(uri, c.Schemes); err != nil {
				say("client %q: redirect URI %q: %v", client.ID, uri, err)
			}
		}
	}
	for _, scheme := range c.Schemes {
		if !schemeForm.MatchString(scheme) || slices.Contains(publicSchemes, scheme) {
			say("scheme %q: is not one of an application's own, in lower case and without a colon", scheme)
		}
	}
	if c.Signer == nil {
		say("signing key: needed; make one with pharos keygen")
	}
	return problems
}

// checkURL accepts https, and in development http on loopback, in the spelling
// that comparisons byte by byte need.
func checkURL(text string, development bool) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		return fmt.Errorf("must be a URL")
	case u.User != nil || u.RawQuery != "" || strings.ContainsAny(text, "?#"):
		return fmt.Errorf("must have no user name, query or fragment")
	case u.Host != strings.ToLower(u.Host) || text != u.Scheme+"://"+u.Host+u.EscapedPath():
		return fmt.Errorf("must be spelled as it is compared: scheme and host in lower case")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && onLoopback(u):
		if !development {
			return fmt.Errorf("http on loopback is for development; switch that on, or use https")
		}
		return nil
	default:
		return fmt.Errorf("must be https")
	}
}

func onLoopback(u *url.URL) bool {
	if u.Hostname() == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(u.Hostname())
	return err == nil && address.IsLoopback()
}
