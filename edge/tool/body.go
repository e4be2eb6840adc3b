package tool

import (
	"bytes"
	"encoding/json"
)

// Body is the request body of an input: the argument's own bytes, which are
// what is sent, with T as the type to read them as. Re-marshalling a T would
// lose nulls, the text of numbers and the order of members (E-52).
type Body[T any] struct{ body }

// body is what of a Body does not depend on its type. It is apart because a
// large catalog has thousands of types: each would have all of this compiled
// for itself.
type body struct{ raw json.RawMessage }

// UnmarshalJSON keeps a copy of the argument.
func (b *body) UnmarshalJSON(data []byte) error {
	b.raw = bytes.Clone(data)
	return nil
}

// MarshalJSON returns the argument, or null where there was none.
func (b body) MarshalJSON() ([]byte, error) {
	if b.raw == nil {
		return []byte("null"), nil
	}
	return b.raw, nil
}

// Given reports whether the argument was there; null counts.
func (b *body) Given() bool { return b.raw != nil }

// Raw returns the argument, or nil where there was none. It must not be
// changed.
func (b *body) Raw() json.RawMessage { return b.raw }

// Value decodes the argument.
func (b Body[T]) Value() (T, error) {
	var v T
	if b.raw == nil {
		return v, nil
	}
	err := json.Unmarshal(b.raw, &v)
	return v, err
}

// JSON is the body as it was given, with the exact media type of the document
// ("application/merge-patch+json").
func (b *body) JSON(mediaType string) Payload {
	if b.raw == nil {
		return Payload{}
	}
	return Payload{mediaType: mediaType, data: b.raw, given: true}
}

// Text is the body of a string argument: the string itself. Other values are
// sent as their JSON text.
func (b *body) Text(mediaType string) Payload {
	if b.raw == nil {
		return Payload{}
	}
	text, _, err := scalar(b.raw)
	if err != nil {
		return Payload{err: &ArgumentError{Where: "body", Message: "cannot be read"}}
	}
	return Payload{mediaType: mediaType, data: []byte(text), given: true}
}

// Binary is the body of a {media_type, base64} argument: the decoded bytes. A
// media type that the document names exactly is sent as it stands there; where
// it gives a range such as image/*, the argument's own is sent, which must lie
// in that range.
func (b *body) Binary(mediaType string) Payload {
	if b.raw == nil {
		return Payload{}
	}
	f, err := readFile("body", b.raw)
	if err != nil {
		return Payload{err: err}
	}
	if mediaType, err = f.within("body", mediaType); err != nil {
		return Payload{err: err}
	}
	return Payload{mediaType: mediaType, data: f.data, given: true}
}

// Form is the body of an object argument as application/x-www-form-urlencoded,
// members in their given order. Members without an Encoding are written as
// OpenAPI's default has it: arrays as repeated names, objects as JSON text.
// Null members are left out.
func (b *body) Form(mediaType string, encodings ...Encoding) Payload {
	if b.raw == nil {
		return Payload{}
	}
	data, err := encodeForm(b.raw, encodings)
	return Payload{mediaType: mediaType, data: data, given: true, err: err}
}

// Multipart is the body of an object argument as one part a member, or one an
// item where the member is an array. A value {media_type, base64, filename?} is
// a file. Objects are JSON text. The boundary is derived from the argument, so
// the same argument gives the same bytes.
func (b *body) Multipart(mediaType string, encodings ...Encoding) Payload {
	if b.raw == nil {
		return Payload{}
	}
	data, boundary, err := encodeMultipart(b.raw, encodings)
	return Payload{mediaType: mediaType + "; boundary=" + boundary, data: data, given: true, err: err}
}

// Payload is what a body became: its media type and bytes. The zero Payload is
// no body.
type Payload struct {
	mediaType string
	data      []byte
	given     bool
	err       error
}

// Encoding says how one member of a form or multipart body is written. Zero
// fields mean OpenAPI's defaults.
type Encoding struct {
	Member string
	// ContentType is the media type of the member's part, or a list or range
	// that a file's own must lie in. A JSON type makes any value JSON text.
	ContentType string
	// Style is Form, SpaceDelimited, PipeDelimited or DeepObject with flags.
	Style Style
}
