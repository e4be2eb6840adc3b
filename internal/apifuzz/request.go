package apifuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The headers of commands.
const (
	keyHeader   = "Idempotency-Key"
	matchHeader = "If-Match"
)

// request is one request, in parts that can be changed one by one.
type request struct {
	op      *Operation
	actor   *Actor
	method  string
	path    map[string]string // by parameter
	query   map[string][]string
	header  map[string]string
	target  string // in place of path and query, where it is set
	body    any
	raw     []byte // in place of body, where it is set
	media   string
	invalid string // why no reply may be a success, or ""
	misfit  bool   // the body does not fit its schema
}

// clone is a request that can be changed without changing the other.
func (r *request) clone() *request {
	c := *r
	c.path, c.query, c.header = maps.Clone(r.path), maps.Clone(r.query), maps.Clone(r.header)
	c.body = deep(r.body)
	return &c
}

// deep copies a value of JSON.
func deep(value any) any {
	switch v := value.(type) {
	case map[string]any:
		c := maps.Clone(v)
		for name := range c {
			c[name] = deep(c[name])
		}
		return c
	case []any:
		c := slices.Clone(v)
		for i := range c {
			c[i] = deep(c[i])
		}
		return c
	}
	return value
}

// url is where a request goes.
func (r *request) url() string {
	if r.target != "" {
		return r.target
	}
	target := r.op.Path
	for name, value := range r.path {
		target = strings.ReplaceAll(target, "{"+name+"}", url.PathEscape(value))
	}
	if len(r.query) > 0 {
		target += "?" + url.Values(r.query).Encode()
	}
	return target
}

// payload is what a request's body is on the wire.
func (r *request) payload() []byte {
	if r.raw != nil || r.body == nil {
		return r.raw
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r.body); err != nil {
		panic(err) // it was made of JSON
	}
	return bytes.TrimSpace(b.Bytes())
}

// http makes the request for a client or a handler.
func (r *request) http(origin string) (*http.Request, error) {
	payload := r.payload()
	q, err := http.NewRequest(r.method, origin+r.url(), bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	if payload == nil {
		q.Body, q.ContentLength = nil, 0
	}
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		q.Header.Set(name, r.header[name])
	}
	if r.media != "" && payload != nil {
		q.Header.Set("Content-Type", r.media)
	}
	for name, value := range r.actor.header() {
		q.Header.Set(name, value)
	}
	return q, nil
}

// String is the request as a person would send it again.
func (r *request) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s as %s\n", r.method, r.url(), r.actor.Name)
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		fmt.Fprintf(&b, "%s: %s\n", name, r.header[name])
	}
	if payload := r.payload(); payload != nil {
		fmt.Fprintf(&b, "Content-Type: %s\n\n%s\n", r.media, short(payload, 2000))
	}
	return b.String()
}

func short(text []byte, most int) string {
	if len(text) <= most {
		return string(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
}
