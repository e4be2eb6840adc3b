package tool

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Split decodes arguments in which parameters and the members of the body
// stand side by side: the members named in keys into parameters, all others,
// each value byte for byte and in their order, into body. Names are compared
// exactly. Without a member left over, a body that is not required stays as it
// is. A body that is decoded into integers takes 1.0 and 1e3, as parameters do.
//
// Generated inputs call it; the arguments have passed their schema.
func Split(arguments []byte, parameters, body any, required bool, keys ...string) error {
	d := json.NewDecoder(bytes.NewReader(arguments))
	if _, err := d.Token(); err != nil {
		return err
	}
	own, rest := []byte{'{'}, []byte{'{'}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if text, _ := name.(string); slices.Contains(keys, text) {
			own = appendMember(own, text, value)
		} else {
			rest = appendMember(rest, text, value)
		}
	}
	if err := unmarshal(append(own, '}'), parameters); err != nil {
		return err
	}
	if len(rest) == 1 && !required {
		return nil
	}
	return unmarshal(append(rest, '}'), body)
}

// appendMember adds a member to an object that is still open.
func appendMember(dst []byte, name string, value json.RawMessage) []byte {
	if len(dst) > 1 {
		dst = append(dst, ',')
	}
	quoted, _ := json.Marshal(name) // a string always encodes
	return append(append(append(dst, quoted...), ':'), value...)
}
