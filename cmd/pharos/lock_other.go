//go:build !unix

package main

import "errors"

// lockFolder is for the private database, which needs a Unix system too.
func lockFolder(string, string) (unlock func(), err error) {
	return nil, errors.New("a private database needs a Unix system")
}

// holdFolder trusts that nobody starts a simulator twice over one folder.
func holdFolder(string, string) (unlock func(), err error) { return func() {}, nil }
