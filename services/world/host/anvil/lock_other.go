//go:build !unix

package anvil

import "errors"

// lock refuses: how the game locks a world is known for Unix only.
func lock(string) (unlock func(), err error) {
	return nil, errors.New("a world cannot be locked against a running server on this system")
}
