package access

import (
	"context"

	"github.com/pharos-mcp/pharos/internal/password"
)

// passwords hashes all that the process hashes, two at a time, which bounds the
// memory that it takes.
var passwords = password.New(2)

// HashPassword makes what is stored of a password. A password that is too short,
// too long or not text is an invalid request.
func HashPassword(ctx context.Context, plain string) (string, error) {
	return passwords.Hash(ctx, plain)
}
