package tool

import (
	"context"
	"net/http"
	"slices"
)

// Requester is an input that knows its request. Generated inputs implement it.
type Requester interface {
	Request(base string) (*http.Request, error)
}

// Call decodes the arguments into an empty input, lets it build its request and
// sends that once. Arguments are a JSON object that has passed the operation's
// schema.
//
// Its errors are *ArgumentError, when nothing was sent because of an argument,
// and what Exchange.Send returns.
func Call(ctx context.Context, x Exchange, op *Operation, arguments []byte, in Requester) (Result, error) {
	if err := decode(arguments, in); err != nil {
		return Result{}, err
	}
	request, err := in.Request(x.Base(op.Document))
	if err != nil {
		return Result{}, err
	}
	if request.Header.Get("Accept") == "" {
		request.Header["Accept"] = []string{accept(op.Replies)}
	}
	return x.Send(ctx, op, request)
}

// accept prefers the declared media types and takes any other, as that of an
// undeclared error.
func accept(replies []Reply) string {
	var room [128]byte
	types := room[:0]
	for i, r := range replies {
		same := func(o Reply) bool { return o.MediaType == r.MediaType }
		if r.MediaType != "" && !slices.ContainsFunc(replies[:i], same) {
			types = append(append(types, r.MediaType...), ", "...)
		}
	}
	if len(types) == 0 {
		return "*/*"
	}
	return string(append(types, "*/*;q=0.1"...))
}
