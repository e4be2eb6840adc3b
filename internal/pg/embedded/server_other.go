//go:build !unix

package embedded

import (
	"context"
	"errors"
	"log/slog"
)

// Server is there on Unix only.
type Server struct{}

// Open says what to do instead.
func Open(context.Context, string, *slog.Logger) (*Server, error) {
	return nil, errors.New("a private database needs a Unix system, WSL for one: set DATABASE_URL to a PostgreSQL server")
}

// URL is of no server.
func (s *Server) URL() string { return "" }

// Folder is of no server.
func (s *Server) Folder() string { return "" }

// Close does nothing.
func (s *Server) Close() {}
