package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/devidp"
)

// devidpConfig is the configuration of the login service for development, which
// lets whoever sees it be anybody.
type devidpConfig struct {
	// Listen is its address: host and port, on loopback always.
	Listen string `json:"listen"`
}

// devidpClient is how the broker is known there.
const devidpClient = "pharos-broker"

// issuer is the login service's URL.
func (c devidpConfig) issuer() string { return "http://" + c.Listen }

// devidp is the login service on its listener. It knows the broker by its URL,
// so it is made when every address is known.
func (a *assembly) devidp(l net.Listener) service {
	return service{
		listener: l,
		announce: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "login service, for development only: %s\n", a.config.Devidp.issuer())
			return err
		},
		run: func(ctx context.Context, l net.Listener) error {
			c, err := a.config.completed(a.names)
			if err != nil {
				return errors.Join(err, l.Close())
			}
			provider, err := devidp.New(devidp.Options{
				Issuer: c.Devidp.issuer(), ClientID: devidpClient, Redirect: c.brokerURL() + "/callback",
			})
			if err != nil {
				return errors.Join(err, l.Close())
			}
			return edge.ServeHTTP(ctx, l, provider)
		},
	}
}

// brokerURL is where the broker is, whether this process serves it or not.
func (c config) brokerURL() string {
	if c.Broker.Issuer != "" {
		return c.Broker.Issuer
	}
	return "http://" + c.Broker.Listen
}
