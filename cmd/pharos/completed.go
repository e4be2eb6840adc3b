package main

import (
	"cmp"
	"maps"
	"net"
	"net/url"
	"slices"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// completed fills in what the configuration leaves empty for one machine: with
// a private database, broker, gateway and platform trust keys that lie beside
// it, and people log in at the provider of this program. With a database of
// one's own, or for a broker that is not on this machine alone, nothing is made
// up: what somebody forgot must not become something for development.
func (c config) completed(names []string) (config, error) {
	folder, err := c.Database.folder()
	if err != nil || folder == "" || c.forOthers() {
		return c.local(""), err
	}
	if !slices.Contains(names, "broker") {
		if c.Edge.Authentication.Mode == "oauth" { // nobody acts as the development user
			return c.local(""), nil
		}
		return c.local(c.Database.knownToken()), nil
	}
	keys, err := developmentKeys(cmp.Or(c.keys, folder))
	if err != nil {
		return c, err
	}
	c.Broker = c.Broker.completed(c, keys)
	if c.Platform.Delegation == (delegationConfig{}) {
		c.Platform.Delegation = delegationConfig{
			Broker:  signerConfig{Issuer: c.Broker.Issuer, KeysFile: keys.brokerPublic},
			Gateway: signerConfig{Issuer: c.Broker.Resource, KeysFile: keys.gatewayPublic},
		}
	}
	if c.Edge.Authentication.Mode == "" {
		c.Edge.Authentication.Mode = "oauth"
		c.Edge.Authentication.Broker = edge.Broker{
			Issuer: c.Broker.Issuer, KeysFile: keys.brokerPublic, Resource: c.Broker.Resource,
		}
	}
	if c.Edge.Authentication.Mode != "oauth" {
		return c.local(c.Database.knownToken()), nil
	}
	return c.reaches(edge.Upstream{
		URL: "http://" + c.Platform.Listen, Assertion: edge.Assertion{Issuer: c.Broker.Resource, KeyFile: keys.gateway},
	}), nil
}

// forOthers reports whether a part names a broker that is for more than this
// machine, or the edge is reached from elsewhere.
func (c config) forOthers() bool {
	host, _, err := net.SplitHostPort(c.Edge.Listen)
	loopback := httpguard.IsLoopback
	if err == nil && !loopback(host) || slices.ContainsFunc(c.Edge.Hosts, func(host string) bool { return !loopback(host) }) {
		return true
	}
	for _, issuer := range []string{c.Broker.Issuer, c.Edge.Authentication.Broker.Issuer, c.Platform.Delegation.Broker.Issuer} {
		if u, err := url.Parse(issuer); issuer != "" && (err != nil || u.Scheme != "http" || !httpguard.IsLoopback(u.Hostname())) {
			return true
		}
	}
	return false
}

// local is the configuration in which the edge calls the platform of this
// machine as the development user, whose token is in a file; "" is nobody.
func (c config) local(tokenFile string) config {
	u := edge.Upstream{URL: "http://" + c.Platform.Listen}
	if tokenFile != "" {
		u.Credentials = map[string]string{"token": tokenFile}
	}
	return c.reaches(u)
}

// reaches is the configuration in which the edge has an upstream for the
// platform, unless it has one already.
func (c config) reaches(u edge.Upstream) config {
	if _, ok := c.Edge.Upstreams["platform"]; ok {
		return c
	}
	c.Edge.Upstreams = maps.Clone(c.Edge.Upstreams)
	if c.Edge.Upstreams == nil {
		c.Edge.Upstreams = map[string]edge.Upstream{}
	}
	c.Edge.Upstreams["platform"] = u
	return c
}

// completed fills in the broker's own part.
func (b brokerConfig) completed(c config, keys signingKeys) brokerConfig {
	or := func(value *string, otherwise string) {
		if *value == "" {
			*value = otherwise
		}
	}
	or(&b.Issuer, "http://"+b.Listen)
	or(&b.KeyFile, keys.broker)
	or(&b.Resource, b.Issuer+c.Edge.Path)
	or(&b.Identity, "http://"+c.Platform.PrivateListen+"/internal/mcp/identity")
	or(&b.Platform, "http://"+c.Platform.Listen)
	or(&b.Name, "the platform on this machine")
	if b.Upstream == (upstreamConfig{}) {
		b.Upstream = upstreamConfig{Issuer: c.Devidp.issuer(), ClientID: devidpClient}
		b.development = true
	}
	return b
}
