package main

import (
	"context"
	"net/http"
	"slices"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/services/play"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// bearers knows callers by what a service says of their bearer token. There is
// no OAuth here, so a challenge leads nowhere.
type bearers struct {
	scopes []string
	find   func(*http.Request) (subject string, identity any, err error)
}

// ResourceMetadata implements edge.Authenticator.
func (bearers) ResourceMetadata() string { return "" }

// Authenticate implements edge.Authenticator.
func (b bearers) Authenticate(r *http.Request) (*edge.Principal, error) {
	subject, identity, err := b.find(r)
	if err != nil {
		return nil, err
	}
	return &edge.Principal{Subject: subject, Scopes: b.scopes, Identity: identity}, nil
}

// playersOf are the callers of the play catalog: each has one seat.
func playersOf(service *play.Service) edge.Options {
	return edge.Options{
		Authenticator: bearers{scopesOf(service.PlayCatalog()), func(r *http.Request) (string, any, error) {
			seat, err := service.Player(r)
			return "play:" + seat.AssignmentID.String(), seat, err
		}},
		Context: func(ctx context.Context, p *edge.Principal, _ *tool.Operation) context.Context {
			seat, _ := p.Identity.(assignment.Seat)
			return assignment.WithSeat(ctx, seat)
		},
		Instructions: service.PlayInstructions(),
	}
}

// authorsOf are the callers of the author catalog. Bounds are for each token, of
// which somebody may have several.
func authorsOf(service *play.Service) edge.Options {
	return edge.Options{
		Authenticator: bearers{scopesOf(service.AuthorCatalog()), func(r *http.Request) (string, any, error) {
			author, err := service.Author(r)
			return "author:" + author.ID.String() + ":" + author.Key, author.Account, err
		}},
		Context: func(ctx context.Context, p *edge.Principal, _ *tool.Operation) context.Context {
			author, _ := p.Identity.(account.Account)
			return play.WithAuthor(ctx, author)
		},
		Instructions: service.AuthorInstructions(),
	}
}

// scopesOf are all scopes of a catalog: a token has them all.
func scopesOf(catalog tool.Catalog) (scopes []string) {
	for _, op := range catalog.Operations {
		scopes = append(scopes, op.Scope)
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}
