package apifuzz

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Memory is what replies have told so far.
type Memory struct {
	// Things are the members of things that were seen last, by collection and
	// identifier: Things["projects"]["bbbb…"]["slug"].
	Things map[string]map[string]map[string]any

	keys    map[string]string   // what members name the things of collections
	order   map[string][]string // identifiers by collection, as they came
	seen    map[string]bool     // by actor, collection and identifier
	actor   string              // whose reply is being learned
	shared  []string            // collections whose things everybody may name
	newest  bool                // whether the newest thing is chosen, always
	plurals map[string]string   // collections by what members that name one of their things begin with
	cursors map[string][]string // the targets of next pages, by operation
	// The parameters of paths that have several, where they succeeded.
	paths map[string][]map[string]string
}

// most bounds what is remembered of each collection.
const most = 200

// newMemory prepares for the collections of a document: a segment of a path
// with a parameter behind it. Aliases are other names of things, as in
// "assignee" for one of the "parties".
func newMemory(d *Document, aliases map[string]string, shared []string) *Memory {
	m := &Memory{
		Things: map[string]map[string]map[string]any{}, shared: shared, keys: map[string]string{}, seen: map[string]bool{},
		order: map[string][]string{}, plurals: map[string]string{}, cursors: map[string][]string{},
		paths: map[string][]map[string]string{},
	}
	for _, op := range d.Operations {
		for _, p := range op.parameters {
			if c := collectionOf(op.Path, p.name); p.in == "path" && c != "" {
				m.Things[c], m.keys[c] = map[string]map[string]any{}, p.name
				m.plurals[strings.TrimSuffix(c, "s")] = c
				if stem, ok := strings.CutSuffix(c, "ies"); ok {
					m.plurals[stem+"y"] = c
				}
			}
		}
	}
	for alias, collection := range aliases {
		m.plurals[alias] = collection
	}
	return m
}

// collectionOf is the segment of a path before a parameter.
func collectionOf(path, parameter string) string {
	segments := strings.Split(path, "/")
	if i := slices.Index(segments, "{"+parameter+"}"); i > 0 {
		return segments[i-1]
	}
	return ""
}

// collection is the one whose things a member or parameter names, or "".
func (m *Memory) collection(member string) string {
	return m.plurals[strings.TrimSuffix(member, "_id")]
}

// Pick chooses a thing of a collection, mostly one that the actor has seen, and
// one of the newest rather than an old one, or "".
func (m *Memory) Pick(r *rand.Rand, collection string, by *Actor) string {
	ids := m.order[collection]
	if !slices.Contains(m.shared, collection) && r.IntN(12) > 0 {
		var own []string
		for _, id := range ids {
			if m.seen[by.Name+" "+collection+" "+id] {
				own = append(own, id)
			}
		}
		if len(own) > 0 {
			ids = own
		}
	}
	if len(ids) == 0 {
		return ""
	}
	if m.newest {
		return ids[len(ids)-1]
	}
	if n := len(ids); n > 4 && r.IntN(2) == 0 {
		return ids[n-1-r.IntN(4)]
	}
	return ids[r.IntN(len(ids))]
}

// learn takes in the reply to an operation.
func (m *Memory) learn(o *Operation, by *Actor, target string, status int, body any) {
	m.actor = by.Name
	if status >= 300 && status != 409 && status != 422 {
		return
	}
	own := ""
	segments := strings.Split(o.Path, "/")
	for i := len(segments) - 1; i >= 0 && own == ""; i-- {
		if _, ok := m.Things[segments[i]]; ok {
			own = segments[i]
		}
	}
	page := object(body)
	if id := text(page["aggregateId"]); id != "" {
		members := map[string]any{}
		if version, _ := page["version"].(float64); version > 0 { // else it was not told
			members["revision"] = version
		}
		c := collectionOf(o.Path, "id")
		if status < 300 || m.Things[c][id] != nil { // what is rejected may be about nothing
			m.keep(c, id, members)
		}
		return
	}
	if cursor := text(page["next_cursor"]); cursor != "" {
		path, query, _ := strings.Cut(target, "?")
		m.cursors[o.ID] = append(m.cursors[o.ID][:min(len(m.cursors[o.ID]), 8)], path+"?"+withCursor(query, cursor))
	}
	m.walk(own, body)
}

func withCursor(query, cursor string) string {
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		if pair != "" && !strings.HasPrefix(pair, "cursor=") {
			kept = append(kept, pair)
		}
	}
	return strings.Join(append(kept, "cursor="+cursor), "&")
}

// walk looks for things in a body, those of its own collection and those that
// members name.
func (m *Memory) walk(own string, value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			m.walk(own, item)
		}
	case map[string]any:
		if id := v[m.keys[own]]; id != nil {
			m.keep(own, plain(id), v)
		}
		for _, name := range sorted(v) {
			if id := text(v[name]); strings.HasSuffix(name, "_id") && id != "" {
				m.keep(m.collection(name), id, nil)
			}
			if _, list := v[name].([]any); list {
				m.walk(own, v[name])
			}
		}
	}
}

// keep remembers members of a thing.
func (m *Memory) keep(collection, id string, members map[string]any) {
	things := m.Things[collection]
	if things == nil || id == "" {
		return
	}
	if things[id] == nil {
		things[id] = map[string]any{}
		m.order[collection] = append(m.order[collection], id)
	}
	m.seen[m.actor+" "+collection+" "+id] = true
	for _, name := range sorted(members) {
		things[id][name] = members[name]
	}
	if old := m.order[collection]; len(old) > most {
		delete(things, old[0])
		m.order[collection] = old[1:]
	}
}

// lose lets an actor no longer see a thing.
func (m *Memory) lose(by *Actor, collection, id string) {
	delete(m.seen, by.Name+" "+collection+" "+id)
}

// forget drops a thing that is no longer there.
func (m *Memory) forget(collection, id string) {
	delete(m.Things[collection], id)
	m.order[collection] = slices.DeleteFunc(m.order[collection], func(other string) bool { return other == id })
}
