package world_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/project"

	"context"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }

var (
	owner    = uuid.MustParse("11111111-1111-4111-8111-111111111111")
	stranger = uuid.MustParse("22222222-2222-4222-8222-222222222222")
)

var pack = sync.OnceValues(func() (*blocks.Pack, error) { return blocks.Load(blocks.Default) })

// site is a service over a flat world in memory, whose ground ends at y 64, with
// one project of its owner.
type site struct {
	*world.Service
	host     *memory.Host
	catalog  tool.Catalog
	projects string // file
}

func open(t *testing.T) *site {
	t.Helper()
	p, err := pack()
	if err != nil {
		t.Fatal(err)
	}
	s := &site{host: memory.New(memory.Config{Pack: p}), projects: filepath.Join(t.TempDir(), "projects.json")}
	box := func(reach int32) geom.Box {
		return geom.NewBox(geom.Pos{X: -reach, Y: -64, Z: -reach}, geom.Pos{X: reach, Y: 319, Z: reach})
	}
	book, err := project.Open(project.Config{Path: s.projects, Bounds: box(1000), Owner: owner, Area: box(32)})
	if err != nil {
		t.Fatal(err)
	}
	files, err := disk.In(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	assets, err := asset.Open(files, "schematics", p)
	if err != nil {
		t.Fatal(err)
	}
	store := journal.New(journal.Config{Pool: pgtest.Database(t, "world"), World: s.host.Info().World})
	engine, err := operation.Open(t.Context(), operation.Config{
		Host: s.host, Journal: store, Unpaced: true,
		May: func(_ context.Context, id string, player uuid.UUID) error {
			_, err := book.Check(id, player, project.Build)
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	s.Service = world.New(world.Config{Host: s.host, Journal: store, Engine: engine, Book: book, Assets: assets})
	s.catalog = catalog.Catalog(s.Service)
	return s
}

// as calls a method for a player in a project: its result, or its fault.
func (s *site) as(t *testing.T, player, in, name, arguments string) (map[string]any, *fault.Fault) {
	t.Helper()
	quoted := func(text string) json.RawMessage { b, _ := json.Marshal(text); return b }
	ctx := tool.WithInjected(t.Context(), map[string]json.RawMessage{"player_id": quoted(player), "project_id": quoted(in)})
	for i := range s.catalog.Operations {
		if op := &s.catalog.Operations[i]; op.Tool == name {
			reply, err := s.catalog.Dispatch(ctx, nil, op, []byte(arguments))
			if err != nil {
				return nil, fault.From(err)
			}
			var result map[string]any
			if err := json.Unmarshal(reply.Body, &result); err != nil {
				t.Fatalf("%s %s: %v", name, arguments, err)
			}
			return result, nil
		}
	}
	t.Fatalf("there is no method %s", name)
	return nil, nil
}

// call is as for the owner in their project, and must succeed.
func (s *site) call(t *testing.T, name, arguments string) map[string]any {
	t.Helper()
	result, refused := s.as(t, owner.String(), "default", name, arguments)
	if refused != nil {
		t.Fatalf("%s %s: %s: %s", name, arguments, refused.Code, refused.Message)
	}
	return result
}

// refused is as for the owner in their project, and must be refused with a code
// and a message that has the words.
func (s *site) refused(t *testing.T, name, arguments string, code fault.Code, words string) {
	t.Helper()
	result, refused := s.as(t, owner.String(), "default", name, arguments)
	if refused == nil || refused.Code != code || !strings.Contains(refused.Message, words) {
		t.Errorf("%s %s: %v, %+v; want %s with %q", name, arguments, result, refused, code, words)
	}
}

// build prepares and applies a recipe of one operation, waits for its end and
// returns its status.
func (s *site) build(t *testing.T, key, step string) map[string]any {
	t.Helper()
	return s.apply(t, key, s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[`+step+`]}}`))
}

func (s *site) apply(t *testing.T, key string, plan map[string]any) map[string]any {
	t.Helper()
	o := s.call(t, "build_apply", `{"plan_id":"`+text(plan["plan_id"])+`","plan_hash":"`+text(plan["plan_hash"])+`","idempotency_key":"`+key+`"}`)
	id := text(o["operation_id"])
	if _, err := s.Engine.Wait(t.Context(), "default", uuid.MustParse(id)); err != nil {
		t.Fatal(err)
	}
	return s.call(t, "operation_status", `{"operation_id":"`+id+`"}`)
}

func text(v any) string { s, _ := v.(string); return s }
