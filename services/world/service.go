package world

import (
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/camera/desk"
	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	"github.com/pharos-mcp/pharos/services/world/chat"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// Config is what a service is made of. Who makes it closes the engine, then the
// host.
type Config struct {
	Host    Host
	Journal *journal.Store
	Engine  *operation.Engine
	Book    *project.Book
	Assets  *asset.Folder
	Board   *chat.Board
	Desk    *desk.Desk
	Camera  *worker.Client
	// Cameras are fixed places to take pictures from, by their names.
	Cameras map[string]render.Pose
}

// Host is a host that can be looked at, too.
type Host interface {
	host.Host
	host.Columns
}

// Service performs the methods of the catalog world. It is safe for concurrent
// use.
type Service struct{ Config }

var _ catalog.Handler = (*Service)(nil)

// New makes a service.
func New(c Config) *Service { return &Service{c} }
