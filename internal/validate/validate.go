// Package validate holds the arguments and replies of a catalog's operations
// against their schemas.
//
// Schemas are compiled once, when an operation is first called. Numbers are
// compared as they are written, never as floating point. The work for one value
// is bounded whatever the schema: what one schema says of one value is found
// out once, so alternatives within alternatives do not multiply.
//
// An error names the places that are wrong and what was expected there, within
// bounds. It quotes schemas and the names in a caller's own arguments, never a
// value, and nothing at all of a reply.
package validate

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// ErrUndeclared is the error of Reply for a status or body that the operation
// does not declare.
var ErrUndeclared = errors.New("the operation declares no JSON reply for this status")

// Set validates for one catalog. It is safe for concurrent use.
type Set struct {
	bare  bool
	tools map[string]*entry
}

// New returns a Set for a catalog. It reads and compiles nothing yet.
func New(c tool.Catalog) *Set {
	s := &Set{bare: c.Bare, tools: make(map[string]*entry, len(c.Operations))}
	for i := range c.Operations {
		name := c.Operations[i].Tool
		s.tools[name] = &entry{fsys: c.Schemas, name: name}
	}
	return s
}

// Arguments checks the arguments of a call: one JSON object, in UTF-8, no
// member twice, as the tool's input schema says. What is wrong with them is an
// error of type *Mismatch; any other error is a fault of the catalog.
func (s *Set) Arguments(op *tool.Operation, raw []byte) error {
	schemas, err := s.compiled(op)
	if err != nil {
		return err
	}
	root, err := parse(raw, true)
	if err != nil {
		return err
	}
	return newEvaluator(true).check(schemas.input, root)
}

// Reply checks the body of a reply against what the operation declares for the
// status, exactly, for its class or by default, and returns it without the
// members that the schema does not declare, counted. What is kept stays as it
// came, byte for byte. A body that does not fit is an error of type *Mismatch.
//
// An object for which no properties are declared is free: it is kept whole.
// Where alternatives are declared, those that the value fits count.
func (s *Set) Reply(op *tool.Operation, status int, body []byte) (projected []byte, dropped int, err error) {
	schemas, err := s.compiled(op)
	if err != nil {
		return nil, 0, err
	}
	name := s.declared(op, status)
	schema := schemas.replies[name]
	if schema == nil {
		return nil, 0, ErrUndeclared
	}
	root, err := parse(body, false)
	if err != nil {
		return nil, 0, err
	}
	e := newEvaluator(false)
	if err := e.check(schema, root); err != nil {
		return nil, 0, err
	}
	p := projector{evaluator: e}
	projected = p.value(make([]byte, 0, len(body)), root, []*jsonschema.Schema{schema})
	return projected, p.dropped, nil
}

// declared is the name of the schema for a status, or "". A handler's result
// has no status: it is the first success that is declared.
func (s *Set) declared(op *tool.Operation, status int) string {
	number := strconv.Itoa(status)
	for _, want := range []string{number, number[:1] + "XX", "default"} {
		for _, r := range op.Replies {
			if strings.EqualFold(r.Status, want) {
				return r.Schema
			}
		}
	}
	if s.bare {
		for _, r := range op.Replies {
			if strings.HasPrefix(r.Status, "2") && r.Schema != "" {
				return r.Schema
			}
		}
	}
	return ""
}

func (s *Set) compiled(op *tool.Operation) (*schemas, error) {
	e := s.tools[op.Tool]
	if e == nil {
		return nil, fmt.Errorf("%s: %w", op.Tool, tool.ErrUnknown)
	}
	return e.compiled()
}
