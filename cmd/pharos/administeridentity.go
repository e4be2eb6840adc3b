package main

import (
	"context"
	"io"

	"github.com/pharos-mcp/pharos/services/platform/party"
)

// bindIdentity is `pharos platform identity bind`.
func bindIdentity(args []string, _ io.Reader) (func(context.Context, *administration) error, error) {
	flags := newFlags("identity bind")
	if err := parseFlags(flags, args, administerUsage); err != nil {
		return nil, err
	}
	if err := operands("identity bind", flags.Args(), "USER", "ISSUER", "SUBJECT", "VOPERSON_ID"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, a *administration) error {
		return a.parties.Bind(ctx, flags.Arg(0), identityOf(flags.Args()[1:]))
	}, nil
}

// unbindIdentity is `pharos platform identity unbind`.
func unbindIdentity(args []string, _ io.Reader) (func(context.Context, *administration) error, error) {
	flags := newFlags("identity unbind")
	if err := parseFlags(flags, args, administerUsage); err != nil {
		return nil, err
	}
	if err := operands("identity unbind", flags.Args(), "ISSUER", "SUBJECT", "VOPERSON_ID"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, a *administration) error {
		return a.parties.Unbind(ctx, identityOf(flags.Args()))
	}, nil
}

func identityOf(parts []string) party.Identity {
	return party.Identity{Issuer: parts[0], Subject: parts[1], VopersonID: parts[2]}
}
