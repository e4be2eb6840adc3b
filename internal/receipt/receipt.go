// Package receipt tells whether two requests are the same.
//
// A command that is repeated must get the answer it got the first time, and
// another command under the same key none at all. What is compared is a digest
// of the request in one canonical form.
package receipt

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Hash is the digest of a request. The prefix names what is asked for and the
// version of the rule, so that a later rule never makes an old request look
// like another one.
//
// Two requests have the same digest where their values are the same: the order
// of members, white space and escapes say nothing, while the order of a list
// and every character of a text do (texts are not normalised). A number inside
// raw JSON counts as it is spelled. Texts must be valid UTF-8; the request must
// be a value that encoding/json can write, else Hash panics.
func Hash(prefix string, request any) [sha256.Size]byte {
	text, err := json.Marshal(request)
	if err == nil {
		text, err = canonical(text)
	}
	if err != nil {
		panic(fmt.Sprintf("receipt: a request of %T: %v", request, err))
	}
	h := sha256.New()
	h.Write([]byte(prefix))
	h.Write([]byte{0})
	h.Write(text)
	return [sha256.Size]byte(h.Sum(nil))
}

// canonical writes JSON with sorted members, one spelling of each text and no
// white space.
func canonical(text []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}
