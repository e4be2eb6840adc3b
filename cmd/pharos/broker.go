package main

import (
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"

	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/services/broker"
)

// brokerConfig is the configuration of the authorization server. What it leaves
// empty is filled in for development on this machine, beside a private database;
// with a database of one's own all of it is needed but where it says otherwise.
type brokerConfig struct {
	// Listen is the address: host and port. At the same address as the edge,
	// both share a listener, as clients expect.
	Listen string `json:"listen"`
	// Issuer is the broker's URL as clients use it: an origin without a path.
	Issuer string `json:"issuer,omitempty"`
	// KeyFile holds the private key that tokens are signed with.
	KeyFile string `json:"key_file,omitempty"`
	// Upstream is the OpenID provider that logs people in. Empty stands for the
	// one of this program, for development.
	Upstream upstreamConfig `json:"upstream,omitzero"`
	// Identity is the URL of the platform's POST /internal/mcp/identity. Empty
	// stands for the platform's private address.
	Identity string `json:"identity,omitempty"`
	// Platform is where people log in to the platform itself, for a link.
	Platform string `json:"platform,omitempty"`
	// Resource is the MCP URL that tokens are for. Empty stands for the edge's
	// path at Issuer.
	Resource string `json:"resource,omitempty"`
	// Name is what people call the resource. It may be empty.
	Name string `json:"name,omitempty"`
	// Clients are known without registering themselves. It may be empty.
	Clients []broker.Client `json:"clients,omitempty"`
	// Schemes are the private-use schemes that redirect URIs may have. It may be
	// empty.
	Schemes []string `json:"schemes,omitempty"`
	// Closed keeps clients from registering themselves.
	Closed bool `json:"closed,omitempty"`
	// NoDocuments keeps clients from being known by the URL of a metadata
	// document, which the broker would have to fetch.
	NoDocuments bool `json:"no_documents,omitempty"`
	// Proxies are the networks of one's own proxies, as "127.0.0.1/32": their
	// X-Forwarded-For says whom a request counts for. It may be empty; behind a
	// proxy, all clients then share the bounds of one address.
	Proxies []string `json:"proxies,omitempty"`

	development bool // people log in at the provider of this program
}

// upstreamConfig names an OpenID provider and how the broker is known there.
type upstreamConfig struct {
	Issuer   string `json:"issuer"`
	ClientID string `json:"client_id"`
	// ClientSecretFile holds the client's secret. Empty is a public client.
	ClientSecretFile string `json:"client_secret_file,omitempty"`
}

// resolve makes the names of files relative to the working directory.
func (c *brokerConfig) resolve(folder string) {
	for _, name := range []*string{&c.KeyFile, &c.Upstream.ClientSecretFile} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(folder, *name)
		}
	}
}

// config reads the files and returns what a broker is made from. All mistakes
// are reported at once, by their members.
func (c brokerConfig) config() (broker.Config, error) {
	var problems []error
	signer, err := readSigner(c.KeyFile)
	if err != nil {
		problems = append(problems, fmt.Errorf("broker.key_file: %w", err))
	}
	secret := ""
	if c.Upstream.ClientSecretFile != "" {
		text, err := readSmallFile(c.Upstream.ClientSecretFile)
		if err != nil {
			problems = append(problems, fmt.Errorf("broker.upstream.client_secret_file: %w", err))
		}
		secret = strings.TrimSpace(string(text))
		if err == nil && secret == "" {
			problems = append(problems, errors.New("broker.upstream.client_secret_file: holds no secret"))
		}
	}
	proxies, err := networks(c.Proxies)
	if err != nil {
		problems = append(problems, err)
	}
	b := broker.Config{
		Issuer: c.Issuer, Resource: c.Resource, ResourceName: c.Name, Scopes: scopes(),
		Upstream: broker.Upstream{Issuer: c.Upstream.Issuer, ClientID: c.Upstream.ClientID, ClientSecret: secret},
		Identity: c.Identity, Platform: c.Platform, Clients: c.Clients, Schemes: c.Schemes, Closed: c.Closed, NoDocuments: c.NoDocuments,
		Signer: signer, Development: c.development, Proxies: proxies,
	}
	for _, problem := range b.Check() {
		if signer == nil && strings.HasPrefix(problem, "signing key") {
			continue // said with the reason
		}
		problems = append(problems, errors.New("broker: "+problem))
	}
	return b, errors.Join(problems...)
}

// networks reads the networks of proxies. One that holds everybody would let
// everybody say who they are.
func networks(texts []string) (list []netip.Prefix, err error) {
	for i, text := range texts {
		network, bad := netip.ParsePrefix(text)
		if bad != nil || network.Bits() == 0 || network != network.Masked() {
			err = errors.Join(err, fmt.Errorf("broker.proxies[%d]: %q is not a network such as 127.0.0.1/32", i, text))
		}
		list = append(list, network)
	}
	return list, err
}

// scopes are those of the platform's tools: what a member may be granted, and
// what only an operator.
func scopes() (s broker.Scopes) {
	for _, op := range catalog.Catalog().Operations {
		if strings.HasSuffix(op.Scope, ":admin") {
			s.Operator = append(s.Operator, op.Scope)
		} else {
			s.Member = append(s.Member, op.Scope)
		}
	}
	slices.Sort(s.Member)
	slices.Sort(s.Operator)
	s.Member, s.Operator = slices.Compact(s.Member), slices.Compact(s.Operator)
	return s
}
