package apicheck

import (
	"encoding/json"
	"errors"
	"io"
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
	var arguments, path members
	v := reflect.ValueOf(request)
	for i := range v.NumField() {
		value, field := v.Field(i), v.Type().Field(i)
		switch field.Name {
		case "Params":
			if err := numbers(r, value); err != nil {
				return nil, err
			}
			parameters, err := membersOf(value.Interface())
			if err != nil {
				return nil, err
			}
			arguments = append(arguments, member{"parameters", schema.declared("parameters", parameters).object()})
		case "Body":
			body, stream, err := bodyOf(r, value)
			if err != nil || stream {
				return nil, err
			}
			if body != nil {
				arguments = append(arguments, member{"body", body})
			}
		default:
			text, err := json.Marshal(value.Interface())
			if err != nil {
				return nil, malformed("path")
			}
			path = append(path, member{field.Tag.Get("json"), text})
		}
	}
	arguments = append(arguments, member{"path", schema.declared("path", path).object()})
	arguments = slices.DeleteFunc(arguments, func(group member) bool {
		_, ok := schema.Properties[group.name]
		return !ok
	})
	return arguments.object(), nil
}

// numbers refuses a query parameter that is a number and is not spelt like one
// of JSON: the decoder reads 00 as 0.
func numbers(r *http.Request, params reflect.Value) error {
	query := r.URL.Query()
	for i := range params.NumField() {
		field := params.Type().Field(i)
		of := field.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() != reflect.Int64 && of.Kind() != reflect.Float64 {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("form"), ",")
		for _, text := range query[name] {
			if !json.Valid([]byte(text)) {
				return malformed("parameters." + name)
			}
		}
	}
	return nil
}

// members are those of an object.
type members []member

// member is one of them, JSON as it stands.
type member struct {
	name  string
	value json.RawMessage
}

// object writes the members, by name, as encoding/json would after a second
// look at each. The names are a document's own, in ASCII.
func (m members) object() json.RawMessage {
	slices.SortFunc(m, func(a, b member) int { return strings.Compare(a.name, b.name) })
	size := len("{}")
	for _, one := range m {
		size += len(`"":,`) + len(one.name) + len(one.value)
	}
	out := append(make([]byte, 0, size), '{')
	for i, one := range m {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, one.name), ':'), one.value...)
	}
	return append(out, '}')
}

// declared keeps the members that a group of the arguments declares.
func (s input) declared(group string, m members) members {
	declared := s.Properties[group].Properties
	return slices.DeleteFunc(m, func(one member) bool {
		_, ok := declared[one.name]
		return !ok
	})
}

// membersOf writes parameters by the names that arguments have for them.
func membersOf(params any) (members, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, malformed("parameters")
	}
	var byName map[string]json.RawMessage
	if err := json.Unmarshal(text, &byName); err != nil {
		return nil, err
	}
	m := make(members, 0, len(byName))
	for name, value := range byName { // object puts them in order
		m = append(m, member{name, value})
	}
	return m, nil
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
