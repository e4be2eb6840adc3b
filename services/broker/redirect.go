package broker

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The bounds of redirect URIs.
const (
	maxRedirect     = 2000 // bytes of one
	maxRedirects    = 10   // of one client
	maxAllRedirects = 4096 // bytes of one client's
)

// checkRedirects judges those that a client wants to register.
func checkRedirects(uris, schemes []string) error {
	if len(uris) == 0 || len(uris) > maxRedirects {
		return fmt.Errorf("redirect_uris must list 1 to %d URIs", maxRedirects)
	}
	all := 0
	for i, uri := range uris {
		if err := checkRedirect(uri, schemes); err != nil {
			return fmt.Errorf("redirect_uris[%d] %w", i, err)
		}
		all += len(uri)
	}
	if all > maxAllRedirects {
		return fmt.Errorf("redirect_uris must have no more than %d bytes together", maxAllRedirects)
	}
	return nil
}

// checkRedirect judges a redirect URI that a client wants to register: https,
// http on loopback (RFC 8252, 7.3), or a private-use scheme that the operator
// allows (RFC 8252, 7.1); always with an exact path and without a fragment.
func checkRedirect(uri string, schemes []string) error {
	u, err := parseRedirect(uri)
	if err != nil {
		return err
	}
	switch {
	case u.Scheme == "https" && u.Host != "" && u.Hostname() != "":
		return nil
	case isLoopback(u):
		return nil
	case u.Scheme == "http":
		return errors.New("http is for 127.0.0.1, [::1] and localhost alone")
	case slices.Contains(schemes, u.Scheme):
		return nil
	default:
		return fmt.Errorf("the scheme %q is not allowed here", u.Scheme)
	}
}

// parseRedirect refuses spellings that a browser may read differently.
func parseRedirect(uri string) (*url.URL, error) {
	if len(uri) > maxRedirect {
		return nil, fmt.Errorf("must be a URL of at most %d bytes", maxRedirect)
	}
	if strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`*\"<>`, r) }) {
		return nil, errors.New("has a character that does not belong in a redirect URI")
	}
	u, err := url.Parse(uri)
	if err != nil || u.Opaque != "" {
		return nil, errors.New("must be an absolute URL")
	}
	if strings.Contains(uri, "#") {
		return nil, errors.New("must have no fragment")
	}
	if u.User != nil {
		return nil, errors.New("must have no user name")
	}
	if u.Port() != "" && !validPort(u.Port()) || strings.HasSuffix(u.Host, ":") {
		return nil, errors.New("has a port that is none")
	}
	if hasDotSegment(u) {
		return nil, errors.New("must have no dot segments")
	}
	if saysAnswer(u) {
		return nil, errors.New("must have no parameter that an answer has")
	}
	return u, nil
}

// saysAnswer reports whether a query has what the broker adds to it: a client
// would read either the one or the other.
func saysAnswer(u *url.URL) bool {
	q, err := url.ParseQuery(u.RawQuery)
	return err != nil || slices.ContainsFunc([]string{"code", "state", "iss", "error", "error_description", "error_uri"}, q.Has)
}

// hasDotSegment reports whether a path has one, encoded or not.
func hasDotSegment(u *url.URL) bool {
	segments := strings.Split(u.Path, "/")
	return slices.Contains(segments, ".") || slices.Contains(segments, "..")
}

func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// isLoopback reports whether a URL is http to this machine in one of the three
// spellings that clients use.
func isLoopback(u *url.URL) bool {
	return u.Scheme == "http" && slices.Contains([]string{"127.0.0.1", "::1", "localhost"}, u.Hostname())
}

// matchRedirect reports whether a client that registered the one URI may be
// sent to the other: byte for byte, but that a loopback URI may have any port
// (RFC 8252, 7.3), as native clients get theirs at run time.
func matchRedirect(registered, asked string) bool {
	if registered == asked {
		return true
	}
	a, err := parseRedirect(asked)
	if err != nil || !strings.HasPrefix(asked, "http://") {
		return false
	}
	r, err := url.Parse(registered)
	if err != nil {
		return false
	}
	native := isLoopback(r)
	a.Host, r.Host = a.Hostname(), r.Hostname() // the port is the only freedom
	return native && a.String() == r.String()
}
