package tool

import (
	"context"
	"encoding/json"
	"fmt"
)

// RawJSON is a handler's result that is JSON text already: it is handed on
// byte for byte.
type RawJSON []byte

// Image is a handler's result that is a picture.
type Image struct {
	MediaType string
	Data      []byte
}

// None is the result of a handler whose operation declares no reply body
// (E-55).
type None struct{}

type injected struct{}

// WithInjected returns a context whose handler calls get these values as
// members of their arguments, in place of any the caller gave under such a
// name, in whatever letter case: what the mount supplies and no caller may
// choose. Operations that do not declare a member do not see it.
func WithInjected(ctx context.Context, values map[string]json.RawMessage) context.Context {
	return context.WithValue(ctx, injected{}, values)
}

// Handle decodes the arguments, with the injected values of ctx among them,
// calls f and makes its result a Result: RawJSON and Image as they are, None
// without a body, anything else as JSON. The error of f is returned as it is.
func Handle[In, Out any](
	ctx context.Context, op *Operation, arguments []byte, f func(context.Context, *In) (Out, error),
) (Result, error) {
	if values, _ := ctx.Value(injected{}).(map[string]json.RawMessage); len(values) > 0 {
		merged, err := inject(arguments, values)
		if err != nil {
			return Result{}, err
		}
		arguments = merged
	}
	in := new(In)
	if err := decode(arguments, in); err != nil {
		return Result{}, err
	}
	out, err := f(ctx, in)
	if err != nil {
		return Result{}, err
	}
	result, err := resultOf(out)
	if err != nil {
		return Result{}, fmt.Errorf("result of %s: %w", op.Tool, err)
	}
	return result, nil
}

func resultOf(out any) (Result, error) {
	switch out := out.(type) {
	case RawJSON:
		return Result{MediaType: "application/json", Body: out}, nil
	case Image:
		return Result{MediaType: out.MediaType, Body: out.Data, Image: true}, nil
	case None:
		return Result{}, nil
	}
	body, err := marshal(out)
	if err != nil {
		return Result{}, err
	}
	return Result{MediaType: "application/json", Body: body}, nil
}
