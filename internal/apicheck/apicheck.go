// Package apicheck holds the requests to a service's own API against its
// document, so that whoever calls it directly is told what is wrong, and where,
// like a caller of its tools.
//
// The schemas are those of the tools that the document's operations are, which
// say what the document says and admit no member that it does not declare. An
// operation without a tool passes as the server's decoder leaves it, and so
// does one whose body is a stream; of what is left, every text is at least one
// that a database can keep. Parameters that no tool has (the manifest
// drops them) are not looked at. An API without tools has the schemas of its
// document itself.
package apicheck

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/validate"
)

// Middleware returns what a generated server takes as a strict middleware; H is
// its StrictHandlerFunc. A request that is not as the catalog's schemas say ends
// in a fault. The server must stand behind httpguard, which keeps the body.
func Middleware[H ~func(context.Context, http.ResponseWriter, *http.Request, any) (any, error)](
	c tool.Catalog,
) func(next H, name string) H {
	check := newChecker(c)
	return func(next H, name string) H {
		return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
			if err := check.request(name, r, request); err != nil {
				return nil, err
			}
			return next(ctx, w, r, request)
		}
	}
}

// checker checks for one catalog. It is safe for concurrent use.
type checker struct {
	set        *validate.Set
	operations map[string]operation // by the name that generated code has for them
}

type operation struct {
	*tool.Operation
	input func() (input, error) // read once
}

func newChecker(c tool.Catalog) *checker {
	check := &checker{set: validate.New(c), operations: map[string]operation{}}
	for i := range c.Operations {
		op := &c.Operations[i]
		check.operations[goName(op.Tool)] = operation{op, sync.OnceValues(func() (s input, err error) {
			t, err := check.set.Tool(op)
			if err != nil {
				return s, err
			}
			return s, json.Unmarshal(t.Input, &s)
		})}
	}
	return check
}

// goName is the name of a tool's operation in generated code.
func goName(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// request checks a decoded request of the operation with that name.
func (c *checker) request(name string, r *http.Request, request any) error {
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		return malformed("parameters") // the decoder drops what it cannot read
	}
	if err := texts(r, request); err != nil {
		return err
	}
	op, ok := c.operations[name]
	switch {
	case !ok:
		return exact(r, request)
	case op.RPCOnly:
		return nil
	}
	schema, err := op.input()
	if err != nil {
		return err
	}
	arguments, err := argumentsOf(r, request, schema)
	if err != nil || arguments == nil {
		return err
	}
	err = c.set.Arguments(op.Operation, arguments)
	if wrong, ok := errors.AsType[*validate.Mismatch](err); ok {
		return fault.New(fault.Invalid, wrong.Error())
	}
	return err
}
