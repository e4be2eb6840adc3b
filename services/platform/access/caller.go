package access

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// visit is what the gate knows of a request.
type visit struct {
	address string
	caller  *Caller // nil: nobody
}

type visitKey struct{}

func withVisit(ctx context.Context, v *visit) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// visitOf is what the gate knows, which is nothing of a request that did not
// come through it.
func visitOf(ctx context.Context) *visit {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v
	}
	return &visit{}
}

// CallerOf is whom a request comes from, whatever their standing, or a fault
// where nobody is known.
func CallerOf(ctx context.Context) (Caller, error) {
	if c := visitOf(ctx).caller; c != nil {
		return *c, nil
	}
	return Caller{}, fault.New(fault.Unauthenticated, "log in, or show a bearer token")
}

// SessionOf is CallerOf for what only a session may do: a token cannot make
// another one, nor bind its Party to anything.
func SessionOf(ctx context.Context) (Caller, error) {
	c, err := CallerOf(ctx)
	if err == nil && c.Session == nil {
		err = fault.New(fault.Forbidden, "this needs the session of a login, not a token")
	}
	return c, err
}
