//go:build !unix

package key

import "os"

// open opens a file.
func open(file string) (*os.File, error) { return os.Open(file) }
