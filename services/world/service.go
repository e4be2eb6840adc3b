package world

import (
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// Config is what a service is made of. Who makes it closes the engine, then the
// host.
type Config struct {
	Host    host.Host
	Journal *journal.Store
	Engine  *operation.Engine
	Book    *project.Book
	Assets  *asset.Folder
}

// Service performs the methods of the catalog world. It is safe for concurrent
// use.
type Service struct{ Config }

var _ catalog.Handler = (*Service)(nil)

// New makes a service.
func New(c Config) *Service { return &Service{c} }
