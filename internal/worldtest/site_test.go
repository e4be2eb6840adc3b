package worldtest

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/services/world"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/project"
)

const mine = "default" // the project

var (
	owner = uuid.MustParse("11111111-1111-4111-8111-111111111111")
	pack  = sync.OnceValues(func() (*blocks.Pack, error) { return blocks.Load(blocks.Default) })
)

// place is where a world is.
type place struct {
	files    disk.FS
	folder   string // "" for files that are no folder
	projects string // the file of the projects
	pool     *pgxpool.Pool
	paced    bool
	// wrap puts something between the engine and its journal.
	wrap func(*journal.Store) operation.Journal
}

// site is an open world: what `pharos serve world` opens, without its listener.
type site struct {
	*world.Service
	catalog tool.Catalog
}

// small is a world of 4 × 4 chunks around its middle, in four region files.
var small = anvil.Flat{Chunks: 4}

// reach is how far it goes from its middle.
const reach = 32

// open opens a world as the program does, or makes it.
func (p place) open(ctx context.Context) (*site, error) {
	known, err := pack()
	if err != nil {
		return nil, err
	}
	h, err := anvil.Open(anvil.Config{Files: p.files, Folder: p.folder, Pack: known, Create: &small})
	if err != nil {
		return nil, err
	}
	s, err := p.serve(ctx, h)
	if err != nil {
		_ = h.Close()
	}
	return s, err
}

func (p place) serve(ctx context.Context, h *anvil.Host) (*site, error) {
	box := func(reach int32) geom.Box {
		return geom.Box{Min: geom.Pos{X: -reach, Y: h.Info().MinY, Z: -reach}, Max: geom.Pos{X: reach - 1, Y: h.Info().MaxY, Z: reach - 1}}
	}
	book, err := project.Open(project.Config{Path: p.projects, Bounds: box(30_000_000), Owner: owner, Area: box(reach)})
	if err != nil {
		return nil, err
	}
	assets, err := asset.Open(p.files, "pharos/schematics", h.Blocks())
	if err != nil {
		return nil, err
	}
	store := journal.New(journal.Config{Pool: p.pool, World: h.Info().World})
	var kept operation.Journal = store
	if p.wrap != nil {
		kept = p.wrap(store)
	}
	engine, err := operation.Open(ctx, operation.Config{
		Host: h, Journal: kept, Unpaced: !p.paced,
		May: func(_ context.Context, id string, player uuid.UUID) error {
			_, err := book.Check(id, player, project.Build)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	s := &site{Service: world.New(world.Config{Host: h, Journal: store, Engine: engine, Book: book, Assets: assets})}
	s.catalog = catalog.Catalog(s.Service)
	return s, nil
}

// close lets the world go.
func (s *site) close() error {
	s.Engine.Close()
	return s.Host.Close()
}

// inFolder is a place in a folder of the operating system.
func inFolder(folder string, pool *pgxpool.Pool) (place, func() error, error) {
	files, err := disk.In(folder)
	if err != nil {
		return place{}, nil, err
	}
	return place{
		files: files, folder: folder, projects: filepath.Join(folder, "pharos", "projects.json"), pool: pool,
	}, files.Close, nil
}

// fields are the arguments of a method, or its result.
type fields map[string]any

func (f fields) text(name string) string { s, _ := f[name].(string); return s }

// call calls a method for the owner of the project. An error is a fault as its
// caller is told of it, or what is behind it.
func (s *site) call(ctx context.Context, name string, arguments fields) (result fields, err error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	ctx = tool.WithInjected(ctx, map[string]json.RawMessage{
		"player_id": json.RawMessage(`"` + owner.String() + `"`), "project_id": json.RawMessage(`"` + mine + `"`),
	})
	for i := range s.catalog.Operations {
		if op := &s.catalog.Operations[i]; op.Tool == name {
			reply, err := s.catalog.Dispatch(ctx, nil, op, text)
			if err != nil {
				return nil, err
			}
			return result, json.Unmarshal(reply.Body, &result)
		}
	}
	return nil, fmt.Errorf("there is no method %s", name)
}

// prepare makes a plan of steps of a recipe.
func (s *site) prepare(ctx context.Context, steps ...fields) (plan fields, err error) {
	return s.call(ctx, "build_prepare", fields{"recipe": fields{"version": 1, "operations": steps}})
}

// apply begins to build a plan.
func (s *site) apply(ctx context.Context, key string, plan fields) (operation fields, err error) {
	return s.call(ctx, "build_apply", fields{
		"plan_id": plan["plan_id"], "plan_hash": plan["plan_hash"], "idempotency_key": key,
	})
}

// wait returns an operation once nobody works at it.
func (s *site) wait(ctx context.Context, o fields) (fields, error) {
	id, err := uuid.Parse(o.text("operation_id"))
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := s.Engine.Wait(waiting, mine, id); err != nil {
		return nil, err
	}
	return s.call(ctx, "operation_status", fields{"operation_id": id.String()})
}

// box is a step of a recipe.
func box(a, b geom.Pos, block string) fields {
	return fields{"type": "box", "min": at(a), "max": at(b), "block": block}
}

func at(p geom.Pos) fields { return fields{"x": p.X, "y": p.Y, "z": p.Z} }
