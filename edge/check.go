package edge

import (
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// Problems are all the faults of a configuration. A non-empty list is an error.
type Problems []string

// Error lists one problem a line.
func (ps Problems) Error() string { return strings.Join(ps, "\n") }

func (ps *Problems) addf(format string, args ...any) { *ps = append(*ps, fmt.Sprintf(format, args...)) }

// LoadConfig reads a configuration file. Names of secret files in it become
// relative to the working directory. What the values mean is checked by New,
// which knows the catalog.
func LoadConfig(file string) (Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Config{}, err
	}
	c, err := ParseConfig(data)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", file, err)
	}
	c.Resolve(filepath.Dir(file))
	return c, nil
}

// ParseConfig reads a configuration. Its error names every member that is
// unknown, doubled, null or of the wrong type.
func ParseConfig(data []byte) (Config, error) {
	var c Config
	if err := strictjson.Unmarshal(data, &c); err != nil {
		return Config{}, err
	}
	return c, nil
}

// Resolve makes the names of secret files, as a configuration file in folder
// writes them, relative to the working directory.
func (c *Config) Resolve(folder string) {
	at := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(folder, name)
	}
	c.Authentication.TokenFile = at(c.Authentication.TokenFile)
	if !strings.Contains(c.Admission.RedisFile, "://") { // which is refused later
		c.Admission.RedisFile = at(c.Admission.RedisFile)
	}
	c.Authentication.Broker.KeysFile = at(c.Authentication.Broker.KeysFile)
	for name, u := range c.Upstreams {
		u.Assertion.KeyFile = at(u.Assertion.KeyFile)
		c.Upstreams[name] = u
		for scheme, file := range u.Credentials {
			u.Credentials[scheme] = at(file)
		}
	}
}

// check reports everything that is wrong with the configuration, defaults
// filled in, for serving the catalog.
func (c Config) check(catalog tool.Catalog, o Options) Problems {
	var ps Problems
	c.checkListen(&ps)
	if !strings.HasPrefix(c.Path, "/") || strings.ContainsAny(c.Path, "{}?# ") {
		ps.addf("path: %q is not the path of a URL", c.Path)
	}
	if c.Path == healthPath || c.Path == readyPath {
		ps.addf("path: %s is where the server tells of its health", c.Path)
	}
	c.checkTimes(&ps)
	c.Observe.check(&ps)
	for i, host := range c.Hosts {
		if !isHostname(host) {
			ps.addf("hosts[%d]: %q is not the name of a host alone, such as tools.example.org", i, host)
		}
	}
	for i, origin := range c.Origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			ps.addf("origins[%d]: %q is not an origin such as https://app.example.org", i, origin)
		}
	}
	if c.Body < 0 {
		ps.addf("body: a bound is at least 1, or 0 for the default, not %d", c.Body)
	}
	c.Admission.check(&ps)
	if o.Gate != nil {
		c.checkGate(&ps, o.Gate)
	}
	if o.Authenticator == nil {
		c.Authentication.check(&ps, catalog)
	}
	if o.Exchange == nil {
		c.checkUpstreams(&ps, catalog)
		if o.Authenticator == nil && c.Authentication.Mode != modeOAuth {
			for _, name := range slices.Sorted(maps.Keys(c.Upstreams)) {
				if c.Upstreams[name].Assertion != (Assertion{}) {
					ps.addf("upstreams.%s.assertion: needs callers whom a broker vouches for; set authentication.mode to oauth", name)
				}
			}
		}
	}
	return ps
}

// checkGate reports what a server that shares a gate says otherwise than it.
func (c Config) checkGate(ps *Problems, g *Gate) {
	if c.Admission != (Admission{}).withDefaults() {
		ps.addf("admission: the bounds are those of the gate that is given")
	}
	if time.Duration(c.Timeout) > g.timeout {
		ps.addf("timeout: the gate that is given keeps places for calls of %v, not %v", g.timeout, time.Duration(c.Timeout))
	}
}

// maxTime bounds every duration: what is longer is a slip, and the times that
// are added to it must not run over.
const maxTime = Duration(24 * time.Hour)

func (c Config) checkTimes(ps *Problems) {
	check := func(name string, d Duration) {
		if d < 0 || d > maxTime {
			ps.addf("%s: a time is at most 24h, not %v", name, time.Duration(d))
		}
	}
	check("arrival", c.Arrival)
	check("timeout", c.Timeout)
	check("shutdown", c.Shutdown)
	check("notice", c.Notice)
	for _, name := range slices.Sorted(maps.Keys(c.Upstreams)) {
		check("upstreams."+name+".timeout", c.Upstreams[name].Timeout)
	}
}

// isHostname reports whether a name can be that of a host in a URL, without a
// port: what a request's Host is compared with.
func isHostname(name string) bool {
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.Zone() == ""
	}
	u, err := url.Parse("http://" + name)
	return err == nil && name != "" && u.Host == name && u.Hostname() == name && !strings.ContainsAny(name, "*, ")
}

func (c Config) checkListen(ps *Problems) {
	host, port, err := net.SplitHostPort(c.Listen)
	if number, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || number > 65535 {
		ps.addf("listen: %q is not host:port", c.Listen)
		return
	}
	if httpguard.IsLoopback(host) {
		return
	}
	if len(c.Hosts) == 0 {
		ps.addf("listen: %q is not loopback, so hosts must name what clients call this server", c.Listen)
	}
	if c.Authentication.Mode == modeAnonymous {
		ps.addf("authentication.mode: anonymous is for loopback only, and listen is %q", c.Listen)
	}
}

func (a Authentication) check(ps *Problems, catalog tool.Catalog) {
	switch a.Mode {
	case modeToken:
	case modeAnonymous:
		if a.TokenFile != "" {
			ps.addf("authentication.token_file: an anonymous caller has no token")
		}
	case modeOAuth:
		a.Broker.check(ps)
		if a.TokenFile != "" {
			ps.addf("authentication.token_file: with a broker there is no shared token")
		}
	default:
		ps.addf("authentication.mode: %q is none of oauth, token and anonymous", a.Mode)
	}
	if a.Mode != modeOAuth && a.Broker != (Broker{}) {
		ps.addf("authentication.broker: is for mode oauth")
	}
	known := scopesOf(catalog)
	for i, scope := range a.Scopes {
		if !slices.Contains(known, scope) {
			ps.addf("authentication.scopes[%d]: no tool of the catalog needs %q", i, scope)
		}
	}
}

func (c Config) checkUpstreams(ps *Problems, catalog tool.Catalog) {
	documents := map[string]tool.Document{}
	for _, d := range catalog.Documents {
		documents[d.Name] = d
		if _, ok := c.Upstreams[d.Name]; !ok {
			ps.addf("upstreams: document %q has no upstream; add its URL (or -upstream %s=URL)", d.Name, d.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Upstreams)) {
		document, ok := documents[name]
		if !ok {
			ps.addf("upstreams.%s: the catalog has no such document", name)
			continue
		}
		c.Upstreams[name].checkAssertion(ps, name)
		for _, scheme := range slices.Sorted(maps.Keys(c.Upstreams[name].Credentials)) {
			if !slices.ContainsFunc(document.Schemes, func(s tool.Scheme) bool { return s.Name == scheme }) {
				ps.addf("upstreams.%s.credentials.%s: the document has no such security scheme", name, scheme)
			}
		}
	}
}

// checkAssertion reports what an assertion lacks.
func (u Upstream) checkAssertion(ps *Problems, name string) {
	if u.Assertion == (Assertion{}) {
		return
	}
	if u.Assertion.Issuer == "" {
		ps.addf("upstreams.%s.assertion.issuer: is needed, as the API trusts it", name)
	}
	if u.Assertion.KeyFile == "" {
		ps.addf("upstreams.%s.assertion.key_file: is needed; make one with pharos keygen", name)
	}
	if len(u.Credentials) > 0 {
		ps.addf("upstreams.%s.credentials: an API that takes assertions takes nothing else", name)
	}
}

// scopesOf lists the scopes of the catalog's tools, sorted.
func scopesOf(catalog tool.Catalog) []string {
	var scopes []string
	for i := range catalog.Operations {
		if op := &catalog.Operations[i]; !op.RPCOnly {
			scopes = append(scopes, op.Scope)
		}
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}
