package broker

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/generated/brokerdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// grant is what a person granted to a client.
type grant struct {
	id       uuid.UUID
	clientID string
	party    party
	identity token.Identity
	scopes   []string
	operator bool // at the login
	expires  time.Time
}

// grant keeps a grant with its code and ends the request that led to it.
func (s store) grant(ctx context.Context, g grant, handle string, a asked, code string, now time.Time) error {
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		err := queries.InsertGrant(ctx, tx, brokerdb.InsertGrantParams{
			ID: g.id, ClientID: g.clientID, PartyID: g.party.ID, AuthVersion: g.party.AuthVersion,
			IdentityIssuer: g.identity.Issuer, IdentitySubject: g.identity.Subject, IdentityVopersonID: g.identity.VopersonID,
			Scope: strings.Join(g.scopes, " "), Operator: g.operator, CreatedAt: now, ExpiresAt: g.expires,
		})
		if err != nil {
			return err
		}
		err = queries.InsertCode(ctx, tx, brokerdb.InsertCodeParams{
			CodeHash: digest(code), GrantID: g.id, ClientID: g.clientID, RedirectURI: a.redirect, Challenge: a.challenge,
			ExpiresAt: now.Add(codeTime),
		})
		if err != nil {
			return err
		}
		return queries.DeleteRequest(ctx, tx, digest(handle))
	})
}

// findGrant gives a grant that holds, or errNoToken.
func findGrant(ctx context.Context, tx pgx.Tx, id uuid.UUID, now time.Time) (grant, error) {
	row, err := queries.FindGrant(ctx, tx, brokerdb.FindGrantParams{ID: id, Now: now})
	if err != nil {
		return grant{}, orElse(err, errNoToken)
	}
	return grant{
		id: row.ID, clientID: row.ClientID, party: party{ID: row.PartyID, AuthVersion: row.AuthVersion},
		identity: token.Identity{Issuer: row.IdentityIssuer, Subject: row.IdentitySubject, VopersonID: row.IdentityVopersonID},
		scopes:   strings.Fields(row.Scope), operator: row.Operator, expires: row.ExpiresAt,
	}, nil
}

// revoke ends a grant with all its tokens.
func (s store) revoke(ctx context.Context, id uuid.UUID, because string, now time.Time) error {
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error { return revoke(ctx, tx, id, because, now) })
}

func revoke(ctx context.Context, tx pgx.Tx, id uuid.UUID, because string, now time.Time) error {
	_, err := queries.RevokeGrant(ctx, tx, brokerdb.RevokeGrantParams{ID: id, Now: now, Because: because})
	return err
}

// redemption is a client's use of a code.
type redemption struct {
	code, clientID, redirect string
	matches                  func(challenge string) bool // the verifier's
	refresh                  string                      // the token to issue
}

// errWrongVerifier is a code that was used up by a verifier that is not its own.
var errWrongVerifier = errors.New("code_verifier does not belong to the code")

// redeem uses a code up, for a grant and its first refresh token. A wrong
// verifier uses it up as well. A second use ends the grant, with what the first
// one was given.
func (s store) redeem(ctx context.Context, r redemption, now time.Time) (grant, error) {
	var g grant
	var refused error // what is kept, and then said
	err := pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		g, refused, err = redeem(ctx, tx, r, now)
		return err
	})
	if err != nil {
		return grant{}, err
	}
	return g, refused
}

func redeem(ctx context.Context, tx pgx.Tx, r redemption, now time.Time) (g grant, refused, err error) {
	row, err := queries.ConsumeCode(ctx, tx, brokerdb.ConsumeCodeParams{
		CodeHash: digest(r.code), ClientID: r.clientID, RedirectURI: r.redirect, Now: now, ConsumedBy: digest(r.refresh),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return grant{}, errNoCode, endIfUsed(ctx, tx, r, now)
	}
	if err != nil {
		return grant{}, nil, err
	}
	if !r.matches(row.Challenge) {
		return grant{}, errWrongVerifier, revoke(ctx, tx, row.GrantID, "a code came with a wrong verifier", now)
	}
	g, err = findGrant(ctx, tx, row.GrantID, now)
	if errors.Is(err, errNoToken) {
		return grant{}, errNoCode, nil
	}
	if err != nil {
		return grant{}, nil, err
	}
	if err := useClient(ctx, tx, r.clientID, now); err != nil {
		return grant{}, nil, err
	}
	return g, nil, insertRefresh(ctx, tx, r.refresh, g, 1, now)
}

// endIfUsed ends the grant of a code that comes a second time.
func endIfUsed(ctx context.Context, tx pgx.Tx, r redemption, now time.Time) error {
	id, err := queries.FindConsumedCode(ctx, tx, brokerdb.FindConsumedCodeParams{CodeHash: digest(r.code), ClientID: r.clientID})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return revoke(ctx, tx, id, "a code was used twice", now)
}
