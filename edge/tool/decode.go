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
	err := json.Unmarshal(arguments, in)
	var mismatch *json.UnmarshalTypeError
	for range maxWhole {
		if !errors.As(err, &mismatch) || mismatch.Type.Kind() != reflect.Int64 {
			break
		}
		plain, ok := spellWhole(arguments, mismatch, in)
		if !ok {
			break
		}
		arguments = plain
		err = json.Unmarshal(arguments, in)
	}
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

// maxWhole bounds how many integers of one call may be spelt 1.0 or 1e3.
const maxWhole = 64

// spellWhole returns the arguments with the number that an int64 did not take
// respelt without fraction and exponent: 1.0 and 1e3 are integers to JSON
// Schema. It touches nothing else, so bodies keep their bytes.
func spellWhole(arguments []byte, mismatch *json.UnmarshalTypeError, in any) ([]byte, bool) {
	text, ok := strings.CutPrefix(mismatch.Value, "number ")
	end := int(mismatch.Offset)
	start := end - len(text)
	if _, own := in.(json.Unmarshaler); own || !ok || start < 0 || end > len(arguments) ||
		string(arguments[start:end]) != text {
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
	return slices.Replace(slices.Clone(arguments), start, end, []byte(number.Num().String())...), true
}
