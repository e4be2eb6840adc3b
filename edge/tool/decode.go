package tool

import (
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decode reads arguments into an input. A value that the schema allows and its
// Go type cannot hold, such as an integer beyond 64 bits, is an *ArgumentError.
func decode(arguments []byte, in any) error {
	err := unmarshal(arguments, in)
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &mismatch) || mismatch.Field == "":
		return &ArgumentError{Where: "arguments", Message: "cannot be read"}
	case mismatch.Type.Kind() == reflect.Int64:
		return &ArgumentError{Where: mismatch.Field, Message: "must be an integer of at most 64 bits"}
	default:
		return &ArgumentError{Where: mismatch.Field, Message: "has a type that the request cannot carry"}
	}
}

// unmarshal is json.Unmarshal that takes 1.0 and 1e3 for the integers that they
// are to JSON Schema. It changes nothing else, so bodies keep their bytes.
func unmarshal(data []byte, in any) error {
	err := json.Unmarshal(data, in)
	for range maxWhole {
		var mismatch *json.UnmarshalTypeError
		if !errors.As(err, &mismatch) || mismatch.Type.Kind() != reflect.Int64 {
			return err
		}
		if _, own := in.(json.Unmarshaler); own {
			return err // the place of the number is its own affair
		}
		plain, ok := spellWhole(data, mismatch)
		if !ok {
			return err
		}
		data, err = plain, json.Unmarshal(plain, in)
	}
	return err
}

// maxWhole bounds how many integers of one call may be spelt 1.0 or 1e3.
const maxWhole = 64

// spellWhole returns the data with the number that an int64 did not take respelt
// without fraction and exponent.
func spellWhole(data []byte, mismatch *json.UnmarshalTypeError) ([]byte, bool) {
	text, ok := strings.CutPrefix(mismatch.Value, "number ")
	end := int(mismatch.Offset)
	start := end - len(text)
	if !ok || start < 0 || end > len(data) || string(data[start:end]) != text {
		return nil, false
	}
	if _, exponent, found := strings.Cut(strings.ToLower(text), "e"); found {
		if n, err := strconv.Atoi(exponent); err != nil || n < -400 || n > 400 {
			return nil, false
		}
	}
	number, ok := new(big.Rat).SetString(text)
	if !ok || !number.IsInt() || !number.Num().IsInt64() {
		return nil, false
	}
	return slices.Replace(slices.Clone(data), start, end, []byte(number.Num().String())...), true
}
