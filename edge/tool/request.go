package tool

import (
	"net/http"
	"net/url"
	"strings"
)

// RequestBuilder builds the one request of an operation. Its methods take the
// parameters in any order; the first argument that is refused is what Build
// returns.
//
// A value is a string, bool, integer, json.Number, json.RawMessage, pointer or
// slice of these, or anything else that marshals to JSON. Nil, JSON null and
// empty arrays and objects are left out. Numbers are sent as they were given.
// Everything is percent-encoded once, but for header values, which HTTP has no
// encoding for.
type RequestBuilder struct {
	method   string
	base     string
	template string
	fixed    string // the part of the query that the path carries
	query    []byte
	cookie   []byte
	names    []place  // of parameters in the query and the cookies
	spread   []spread // members that stand there like parameters
	header   http.Header
	path     []segment
	payload  Payload
	err      error
}

// segment is a placeholder of the template and what replaces it.
type segment struct{ name, text string }

// NewRequest starts a request to base + template. The base is appended to, not
// resolved against: a base path stays, with or without a trailing slash. The
// query is the fixed part that the document's path carries, encoded, or "".
func NewRequest(method, base, template, query string) *RequestBuilder {
	r := &RequestBuilder{method: method, base: base, template: template, fixed: query, header: make(http.Header, 4)}
	if query != "" {
		r.query = append(make([]byte, 0, len(query)+64), query...)
	}
	return r
}

// Path sets a placeholder of the template: Simple, Label, Matrix or JSON. Values
// that could leave their segment are refused (E-11).
func (r *RequestBuilder) Path(name string, s Style, value any) {
	if r.err != nil {
		return
	}
	v, err := valueOf(s, value)
	if err == nil {
		var text []byte
		if text, err = appendPath(nil, name, s, v); err == nil {
			r.path = append(r.path, segment{name, string(text)})
			return
		}
	}
	r.fail("path."+name, err)
}

// Query adds a query parameter: Form, SpaceDelimited, PipeDelimited, DeepObject
// or JSON.
func (r *RequestBuilder) Query(name string, s Style, value any) {
	if r.err != nil {
		return
	}
	v, err := valueOf(s, value)
	if err == nil {
		r.note('?', name, s, v)
		r.query, err = appendQuery(r.query, name, s, v)
	}
	r.fail("parameters."+name, err)
}

// Header sets a header: Simple or JSON. Names that belong to the connection, to
// credentials or to forwarding are refused, whatever the document says, and so
// are values with control characters.
func (r *RequestBuilder) Header(name string, s Style, value any) {
	if r.err != nil {
		return
	}
	v, err := valueOf(s, value)
	if err == nil && v.shape != absent {
		var text string
		if text, err = headerValue(name, s, v); err == nil {
			r.header.Set(name, text)
		}
	}
	r.fail("parameters."+name, err)
}

// Cookie adds a cookie: Form or JSON. Exploded items are cookies of their own.
func (r *RequestBuilder) Cookie(name string, s Style, value any) {
	if r.err != nil {
		return
	}
	v, err := valueOf(s, value)
	if err == nil {
		r.note(';', name, s, v)
		r.cookie, err = appendCookie(r.cookie, name, s, v)
	}
	r.fail("parameters."+name, err)
}

// Body sets the body. The zero Payload sets none.
func (r *RequestBuilder) Body(p Payload) {
	if r.err == nil {
		r.payload, r.err = p, p.err
	}
}

func (r *RequestBuilder) fail(where string, err error) {
	if err != nil {
		r.err = &ArgumentError{Where: where, Message: err.Error()}
	}
}

// Build returns the request. Its body cannot be rewound, so that net/http does
// not repeat it (E-18).
func (r *RequestBuilder) Build() (*http.Request, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := r.checkSpread(); err != nil {
		return nil, err
	}
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	request := &http.Request{
		Method: r.method, URL: u, Host: u.Host, Header: r.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if len(r.cookie) > 0 {
		r.header.Set("Cookie", string(r.cookie))
	}
	if p := r.payload; p.given {
		r.header.Set("Content-Type", p.mediaType)
		request.Body = newContent(p.data)
		request.ContentLength = int64(len(p.data))
	}
	return request, nil
}

// target is the URL as text.
func (r *RequestBuilder) target() (string, error) {
	path, err := expandTemplate(r.template, r.path)
	if err != nil {
		return "", err
	}
	target := strings.TrimRight(r.base, "/") + path
	if len(r.query) > 0 {
		target += "?" + string(r.query)
	}
	return target, nil
}
