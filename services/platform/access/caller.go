package access

import (
	"context"
	"errors"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// visit is what the gate knows of a request.
type visit struct {
	address string
	caller  *Caller // nil: nobody
	// again looks up who shows the credential now, and does not count as a use of
	// it. It is nil where caller is.
	again func(context.Context) (Caller, error)
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

// Again holds the caller of a reply that goes on to what let the request in: a
// fault where the credential has ended meanwhile or its Party may not do
// business any more. Of a request that did not come through the gate there is
// nothing to hold.
func Again(ctx context.Context) error {
	v := visitOf(ctx)
	if v.again == nil {
		return nil
	}
	caller, err := v.again(ctx)
	if errors.Is(err, errNobody) {
		return fault.New(fault.Unauthenticated, "the session or token has ended")
	}
	if err != nil {
		return err
	}
	return caller.Standing.Required()
}
