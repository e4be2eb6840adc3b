package broker

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/generated/brokerdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

var queries = brokerdb.New()

// store keeps everything that outlives a request. Its transactions may run
// again when the end of one was not heard of, so each finds what it did before.
type store struct{ pool *pgxpool.Pool }

// What is not there, or not for who asks.
var (
	errNoRequest = errors.New("no such request of this browser")
	errNoCode    = errors.New("no such code of this client, or an old one")
	errNoToken   = errors.New("no such refresh token")
)

func orElse(err, none error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return none
	}
	return err
}

// client gives a client that registered itself.
func (s store) client(ctx context.Context, id string) (Client, error) {
	row, err := queries.FindClient(ctx, s.pool, id)
	if err != nil {
		return Client{}, orElse(err, errUnknownClient)
	}
	return Client{ID: row.ID, Name: row.Name, Redirects: row.RedirectUris}, nil
}

// register keeps a client unless its address has registered too many; then it
// tells how long to wait.
func (s store) register(ctx context.Context, c Client, address string, now time.Time) (wait time.Duration, err error) {
	sum := sha256.Sum256([]byte("address " + address))
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		wait = 0
		if err := queries.LockAddress(ctx, tx, int64(binary.BigEndian.Uint64(sum[:]))); err != nil {
			return err
		}
		if _, err := queries.FindClient(ctx, tx, c.ID); !errors.Is(err, pgx.ErrNoRows) {
			return err // nil: the first run of this transaction kept it
		}
		since := now.Add(-registrationTime)
		row, err := queries.CountRegistrations(ctx, tx, brokerdb.CountRegistrationsParams{AddressHash: sum[:], Since: since})
		if err != nil {
			return err
		}
		if row.Number >= registrationLimit {
			wait = max(row.Oldest.Sub(since), time.Second)
			return nil
		}
		if err := queries.InsertRegistration(ctx, tx, brokerdb.InsertRegistrationParams{AddressHash: sum[:], CreatedAt: now}); err != nil {
			return err
		}
		return queries.InsertClient(ctx, tx, brokerdb.InsertClientParams{
			ID: c.ID, Name: c.Name, RedirectUris: c.Redirects, CreatedAt: now,
		})
	})
	return wait, err
}

// ask keeps a request that a browser is asked about.
func (s store) ask(ctx context.Context, a asked, handle, binding string, now time.Time) error {
	return queries.InsertRequest(ctx, s.pool, brokerdb.InsertRequestParams{
		HandleHash: digest(handle), BindingHash: digest(binding), ClientID: a.client.ID, ClientName: a.client.Name,
		RedirectURI: a.redirect, Scope: strings.Join(a.scopes, " "), Challenge: a.challenge, ClientState: a.state,
		CreatedAt: now, ExpiresAt: now.Add(requestTime),
	})
}

// asked gives the request of a form, in the browser that has its cookie.
func (s store) asked(ctx context.Context, handle, binding string, now time.Time) (asked, error) {
	row, err := queries.FindRequest(ctx, s.pool, brokerdb.FindRequestParams{
		HandleHash: digest(handle), BindingHash: digest(binding), Now: now,
	})
	if err != nil {
		return asked{}, orElse(err, errNoRequest)
	}
	return asked{
		client: Client{ID: row.ClientID, Name: row.ClientName}, redirect: row.RedirectURI,
		state: row.ClientState, challenge: row.Challenge, scopes: strings.Fields(row.Scope),
	}, nil
}

// approval sends a request upstream: under a state, with what is sealed under
// it, and bound to a fresh cookie in place of the old one.
type approval struct {
	handle, binding, fresh, state string
	sealed                        []byte
}

func (s store) approve(ctx context.Context, a approval, now time.Time) error {
	n, err := queries.ApproveRequest(ctx, s.pool, brokerdb.ApproveRequestParams{
		StateHash: digest(a.state), Sealed: a.sealed, NewBindingHash: digest(a.fresh),
		HandleHash: digest(a.handle), BindingHash: digest(a.binding), Now: now,
	})
	if err == nil && n == 0 {
		return errNoRequest
	}
	return err
}

// returned is a request whose browser came back.
type returned struct {
	asked
	sealed []byte
}

// takeReturn takes a browser back, once.
func (s store) takeReturn(ctx context.Context, state, binding string, now time.Time) (returned, error) {
	row, err := queries.TakeReturn(ctx, s.pool, brokerdb.TakeReturnParams{
		StateHash: digest(state), BindingHash: digest(binding), Now: now,
	})
	if err != nil {
		return returned{}, orElse(err, errNoRequest)
	}
	return returned{asked{
		client: Client{ID: row.ClientID, Name: row.ClientName}, redirect: row.RedirectURI,
		state: row.ClientState, challenge: row.Challenge, scopes: strings.Fields(row.Scope),
	}, row.Sealed}, nil
}

// end forgets a request.
func (s store) end(ctx context.Context, handle string) error {
	return queries.DeleteRequest(ctx, s.pool, digest(handle))
}

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
func (s store) findGrant(ctx context.Context, db brokerdb.DBTX, id uuid.UUID, now time.Time) (grant, error) {
	row, err := queries.FindGrant(ctx, db, brokerdb.FindGrantParams{ID: id, Now: now})
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
	_, err := queries.RevokeGrant(ctx, s.pool, brokerdb.RevokeGrantParams{ID: id, Now: now, Because: because})
	return err
}

// forget removes what has expired.
func (s store) forget(ctx context.Context, now time.Time) error {
	_, requests := queries.DeleteOldRequests(ctx, s.pool, now)
	_, grants := queries.DeleteOldGrants(ctx, s.pool, now.Add(-24*time.Hour))
	_, clients := queries.DeleteUnusedClients(ctx, s.pool, now.Add(-unusedTime))
	_, registrations := queries.DeleteRegistrations(ctx, s.pool, now.Add(-registrationTime))
	return errors.Join(requests, grants, clients, registrations)
}
