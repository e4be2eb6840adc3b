package apifuzz

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strconv"
)

// uuid draws a new identifier.
func (f *fuzzer) uuid() string {
	sum := sha256.Sum256(fmt.Append(nil, f.Uint64(), f.Uint64()))
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:]
}

// valid draws a request that the document allows, mostly about things that are
// there.
func (f *fuzzer) valid(op *Operation) (*request, error) {
	r := &request{
		op: op, actor: f.actor(op), method: op.Method,
		path: map[string]string{}, query: map[string][]string{}, header: map[string]string{},
	}
	f.by = r.actor
	if paths := f.memory.paths[op.Path]; len(paths) > 0 && f.IntN(2) == 0 {
		maps.Copy(r.path, paths[f.IntN(len(paths))])
	}
	fresh := op.creates() && (f.opening || f.IntN(10) > 0)
	for _, p := range op.parameters {
		switch {
		case p.in == "path" && r.path[p.name] == "":
			r.path[p.name] = f.named(op, p, fresh)
		case p.in == "path":
		case p.name == keyHeader:
			r.header[p.name] = f.uuid()
		case p.name == matchHeader:
			r.header[p.name] = f.revision(op, r, fresh)
		case p.required || f.IntN(3) == 0:
			value, err := f.parameter(p)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", op.ID, p.name, err)
			}
			if p.in == "query" {
				r.query[p.name] = []string{value}
			} else {
				r.header[p.name] = value
			}
		}
	}
	if cursors := f.memory.cursors[op.ID]; len(cursors) > 0 && f.IntN(4) == 0 {
		r.target = cursors[f.IntN(len(cursors))]
	}
	if op.body != nil && (op.body.required || f.IntN(2) == 0) {
		value, ok := f.value(op.body.schema)
		if !ok {
			return nil, fmt.Errorf("%s: no value fits the schema of the body", op.ID)
		}
		r.body, r.media = value, op.body.media
		if tune := f.config.Tune[op.ID]; tune != nil && (f.opening || f.IntN(10) > 0) {
			if body, ok := value.(map[string]any); ok {
				tune(f.Rand, f.memory, r.actor, body)
			}
			if err := f.doc.fits(op.body.schema, value); err != nil {
				return nil, fmt.Errorf("%s: what Tune made is not as the schema says: %w", op.ID, err)
			}
		}
	}
	return r, nil
}

// named draws the value of a path's parameter.
func (f *fuzzer) named(op *Operation, p parameter, fresh bool) string {
	if fresh && p.name == "id" {
		return f.uuid()
	}
	if f.IntN(20) > 0 {
		collections := []string{collectionOf(op.Path, p.name), f.memory.collection(p.name)}
		if id := f.memory.Pick(f.Rand, collections[f.IntN(2)], f.by); id != "" {
			return id
		}
		for _, c := range collections {
			if id := f.memory.Pick(f.Rand, c, f.by); id != "" {
				return id
			}
		}
	}
	if value, err := f.parameter(p); err == nil && value != "" {
		return value
	}
	return f.uuid()
}

// revision draws the one that a command expects: the one that was seen last,
// unless it is to be wrong.
func (f *fuzzer) revision(op *Operation, r *request, fresh bool) string {
	n := "0"
	if !fresh {
		id := r.path["id"]
		if thing := f.memory.Things[collectionOf(op.Path, "id")][id]; thing != nil && thing["revision"] != nil {
			n = plain(thing["revision"])
		} else if id == "" {
			n = f.own(op) // of a thing whose path names no identifier
		}
	}
	if !f.opening && f.IntN(20) == 0 {
		n = itoa(f.IntN(9))
	}
	if f.IntN(3) == 0 {
		return `"` + n + `"`
	}
	return n
}

// own is the revision of what an operation without an identifier is about: the
// last that such a path had in its ETag.
func (f *fuzzer) own(op *Operation) string {
	if n := f.etags[op.Path]; n != "" {
		return n
	}
	return "1"
}

// parameter draws a value for a parameter, which is one word on the wire.
func (f *fuzzer) parameter(p parameter) (string, error) {
	id := f.memory.Pick(f.Rand, f.memory.collection(p.name), f.by)
	if id != "" && f.IntN(4) > 0 && f.doc.fits(p.schema, id) == nil {
		return id, nil
	}
	value, ok := f.value(p.schema)
	if !ok {
		return "", fmt.Errorf("no value fits the schema")
	}
	return plain(value), nil
}

// member draws a member of a body that names a thing.
func (f *fuzzer) member(name string) (any, bool) {
	if id := f.memory.Pick(f.Rand, f.memory.collection(name), f.by); id != "" && f.IntN(8) > 0 {
		return id, true
	}
	return nil, false
}

// plain is a value of JSON as one word.
func plain(value any) string {
	if n, ok := value.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
