package apicheck

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// input is the part of a tool's input schema that says which arguments there
// are.
type input struct {
	Properties map[string]struct {
		Properties map[string]json.RawMessage `json:"properties"`
	} `json:"properties"`
}

// argumentsOf writes a decoded request as the arguments of its tool. They are
// nil where that cannot be: the body is a stream.
func argumentsOf(r *http.Request, request any, schema input) ([]byte, error) {
	arguments, path := members{}, members{}
	v := reflect.ValueOf(request)
	for i := range v.NumField() {
		value, field := v.Field(i), v.Type().Field(i)
		switch field.Name {
		case "Params":
			parameters, err := membersOf(value.Interface())
			if err != nil {
				return nil, err
			}
			arguments["parameters"] = schema.declared("parameters", parameters).object()
		case "Body":
			body, stream, err := bodyOf(r, value)
			if err != nil || stream {
				return nil, err
			}
			if body != nil {
				arguments["body"] = body
			}
		default:
			text, err := json.Marshal(value.Interface())
			if err != nil {
				return nil, malformed("path")
			}
			path[field.Tag.Get("json")] = text
		}
	}
	arguments["path"] = schema.declared("path", path).object()
	for group := range arguments {
		if _, ok := schema.Properties[group]; !ok {
			delete(arguments, group)
		}
	}
	return arguments.object(), nil
}

// members are those of an object, each JSON as it stands.
type members map[string]json.RawMessage

// object writes the members, by name, as encoding/json would after a second
// look at each. The names are a document's own, in ASCII.
func (m members) object() json.RawMessage {
	out := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, name), ':'), m[name]...)
	}
	return append(out, '}')
}

// declared keeps the members that a group of the arguments declares.
func (s input) declared(group string, m members) members {
	for name := range m {
		if _, ok := s.Properties[group].Properties[name]; !ok {
			delete(m, name)
		}
	}
	return m
}

// membersOf writes parameters by the names that arguments have for them.
func membersOf(params any) (members, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, malformed("parameters")
	}
	var m members
	return m, json.Unmarshal(text, &m)
}

// bodyOf writes a request body as an argument: JSON as it came, so that nothing
// the decoder passed over is missed, text and forms as they were decoded.
func bodyOf(r *http.Request, decoded reflect.Value) (body json.RawMessage, stream bool, err error) {
	if decoded.Kind() != reflect.Pointer || decoded.Type().Elem().PkgPath() == "mime/multipart" {
		return nil, true, nil
	}
	if decoded.IsNil() {
		return nil, false, nil
	}
	if decoded.Elem().Kind() == reflect.String || r.PostForm != nil {
		body, err = json.Marshal(decoded.Interface())
		return body, false, err
	}
	body, err = keptBody(r)
	if err == nil && !json.Valid(body) { // the decoder stops behind the first value
		err = malformed("body")
	}
	return body, false, err
}

var errBody = errors.New("the body has not been kept: the server does not stand behind httpguard")

// keptBody reads a body again, which the decoder has read.
func keptBody(r *http.Request) ([]byte, error) {
	if r.GetBody == nil {
		return nil, errBody
	}
	again, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(again)
}

// malformed is the fault for a part of a request that cannot be read; dots part
// the names of its place.
func malformed(place string) *fault.Fault {
	pointer := strings.TrimSuffix(strings.ReplaceAll(place, ".", "/"), "/")
	return fault.Newf(fault.Invalid, "/%s: it is not as the API describes it", pointer)
}
