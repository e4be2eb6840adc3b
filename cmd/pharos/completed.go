package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pharos-mcp/pharos/edge"
)

// completed fills in what the configuration leaves empty for one machine: with
// a private database, broker, gateway and platform trust keys that lie beside
// it, and people log in at the provider of this program. With a database of
// one's own nothing is made up.
func (c config) completed(names []string) (config, error) {
	folder, err := c.Database.folder()
	if err != nil || folder == "" {
		return c.local(""), err
	}
	if !slices.Contains(names, "broker") {
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
