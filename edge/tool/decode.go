package tool

import (
	"encoding/json"
	"errors"
	"reflect"
)

// decode reads arguments into an input. A value that the schema allows and its
// Go type cannot hold, such as an integer beyond 64 bits, is an *ArgumentError.
func decode(arguments []byte, in any) error {
	err := json.Unmarshal(arguments, in)
	if err == nil {
		return nil
	}
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		message := "has a type that the request cannot carry"
		if mismatch.Type.Kind() == reflect.Int64 {
			message = "must be an integer of at most 64 bits, without fraction and exponent"
		}
		return &ArgumentError{Where: mismatch.Field, Message: message}
	}
	return &ArgumentError{Where: "arguments", Message: "cannot be read"}
}
