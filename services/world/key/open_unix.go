//go:build unix

package key

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// open opens a file that is no symbolic link, and waits for none that is a pipe.
func open(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s is no plain file", file)
	}
	return f, err
}
