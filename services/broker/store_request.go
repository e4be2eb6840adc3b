package broker

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/brokerdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// The bounds of requests that wait for a person. Each is some kilobytes at
// most, so that they fill no database, whoever sends them. Requests that arrive
// at the same moment may pass them by as many as there are connections.
const (
	maxRequests  = 10_000
	maxOfAddress = 200
	retryTime    = time.Minute // after which some will have gone
)

// ask keeps a request that a browser is asked about, or says fullError.
func (s store) ask(ctx context.Context, a asked, handle, binding, address string, now time.Time) error {
	hash := digest("address " + address)
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		n, err := queries.CountRequests(ctx, tx, brokerdb.CountRequestsParams{AddressHash: hash, Now: now, Most: maxRequests})
		if err != nil {
			return err
		}
		if n.OfAddress >= maxOfAddress || n.Waiting >= maxRequests {
			return fullError{ofAddress: n.OfAddress >= maxOfAddress, wait: retryTime}
		}
		return queries.InsertRequest(ctx, tx, brokerdb.InsertRequestParams{
			HandleHash: digest(handle), BindingHash: digest(binding), ClientID: a.client.ID, ClientName: a.client.Name,
			RedirectURI: a.redirect, Scope: strings.Join(a.scopes, " "), Challenge: a.challenge, ClientState: a.state,
			AddressHash: hash, CreatedAt: now, ExpiresAt: now.Add(requestTime),
		})
	})
}

// asked gives the request of a form, in the browser that has its cookie.
func (s store) asked(ctx context.Context, handle, binding string, now time.Time) (asked, error) {
	row, err := read(ctx, s, queries.FindRequest, brokerdb.FindRequestParams{
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
// it.
type approval struct {
	handle, binding, state string
	sealed                 []byte
}

func (s store) approve(ctx context.Context, a approval, now time.Time) error {
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		n, err := queries.ApproveRequest(ctx, tx, brokerdb.ApproveRequestParams{
			StateHash: digest(a.state), Sealed: a.sealed, HandleHash: digest(a.handle), BindingHash: digest(a.binding), Now: now,
		})
		if err == nil && n == 0 {
			return errNoRequest
		}
		return err
	})
}

// returned is a request whose browser came back.
type returned struct {
	asked
	sealed []byte
}

// takeReturn takes a browser back, once.
func (s store) takeReturn(ctx context.Context, state, binding string, now time.Time) (returned, error) {
	taker := digest(newSecret("taker"))
	var row brokerdb.TakeReturnRow
	err := pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		row, err = queries.TakeReturn(ctx, tx, brokerdb.TakeReturnParams{
			StateHash: digest(state), BindingHash: digest(binding), TakenBy: taker, Now: now,
		})
		return err
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
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		return queries.DeleteRequest(ctx, tx, digest(handle))
	})
}
