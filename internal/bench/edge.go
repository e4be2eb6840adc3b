package main

import (
	"context"
	"os"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/ballast"
	"github.com/pharos-mcp/pharos/internal/bench/petstore/generated/petstore"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// edge serves a catalog as a generated project's program does: with its ballast,
// callers need the token, arguments and replies are held against their schemas,
// requests are admitted, and each is logged as JSON to a file. Only the rate that one
// caller may have is lifted, and the number of its calls at the same time.
func (o role) edge() (serve func(context.Context) error, address string, err error) {
	ballast.Load()
	catalog := petstore.Catalog()
	if o.Kind == kindTools {
		if catalog, err = o.catalog(); err != nil {
			return nil, "", err
		}
	}
	log, err := os.OpenFile(o.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, "", err
	}
	s, err := edge.New(o.config(catalog), catalog, edge.Options{Log: observe.ProgramLog(log)})
	if err != nil {
		return nil, "", err
	}
	l, err := s.Listen()
	if err != nil {
		return nil, "", err
	}
	return func(ctx context.Context) error { return s.Serve(ctx, l) }, l.Addr().String(), nil
}

func (o role) config(catalog tool.Catalog) edge.Config {
	upstreams := map[string]edge.Upstream{}
	for _, d := range catalog.Documents {
		upstreams[d.Name] = edge.Upstream{URL: o.Upstream}
	}
	authentication := edge.Authentication{TokenFile: o.Token}
	if o.BrokerKeys != "" {
		authentication = edge.Authentication{
			Mode: "oauth", Broker: edge.Broker{Issuer: brokerIssuer, KeysFile: o.BrokerKeys, Resource: mcpResource},
		}
		for name, u := range upstreams {
			u.Assertion = edge.Assertion{Issuer: mcpResource, KeyFile: o.GatewayKey}
			upstreams[name] = u
		}
	}
	return edge.Config{
		Listen:         "127.0.0.1:0",
		Authentication: authentication,
		Upstreams:      upstreams,
		Admission:      edge.Admission{CallsPerMinute: -1, CallerConcurrency: 2 * mostConnections},
	}
}
