package apicheck

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// Undecodable is the fault for an error of a generated server's decoder. It
// names the place, as far as the error tells, and nothing else of the error.
func Undecodable(err error) *fault.Fault {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return malformed("body." + wrong.Field)
	}
	if name := parameterOf(err); name != "" {
		return fault.Newf(fault.Invalid, "/parameters/%s: it is missing or not as the API describes it", name)
	}
	_, syntax := errors.AsType[*json.SyntaxError](err)
	if syntax || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.Invalid, "/body: expected JSON")
	}
	return fault.New(fault.Invalid, "the request is not as the API describes it")
}

// parameterOf is the name of the parameter that an error is about, or "". Each
// generated package has types of its own for these errors; all of them have the
// name in a field ParamName.
func parameterOf(err error) string {
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.Indirect(reflect.ValueOf(err))
		if v.Kind() != reflect.Struct {
			continue
		}
		if name := v.FieldByName("ParamName"); name.IsValid() && name.Kind() == reflect.String {
			return name.String()
		}
	}
	return ""
}
