package apicheck

import (
	"net/http"
	"reflect"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// exact holds the body of an operation that is no tool, and so has no schema,
// to the type that it was decoded into: no member is there twice, unknown, in
// another letter case or null, and nothing stands behind the value.
func exact(r *http.Request, request any) error {
	v := reflect.ValueOf(request)
	for i := range v.NumField() {
		value := v.Field(i)
		if v.Type().Field(i).Name != "Body" || value.Kind() != reflect.Pointer || value.IsNil() ||
			value.Type().Elem().Kind() != reflect.Struct {
			continue
		}
		body, stream, err := bodyOf(r, value)
		if err != nil || stream {
			return err
		}
		if strictjson.Unmarshal(body, reflect.New(value.Type().Elem()).Interface()) != nil {
			return malformed("body") // no more: it may be a password
		}
	}
	return nil
}
