package plan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

var pack = sync.OnceValue(func() *blocks.Pack {
	p, err := blocks.Load(blocks.Default)
	if err != nil {
		panic(err)
	}
	return p
})

const (
	air   = "minecraft:air"
	stone = "minecraft:stone"
	glass = "minecraft:glass"
	dirt  = "minecraft:dirt"
	chest = "minecraft:chest[facing=north,type=single,waterlogged=false]"
	torch = "minecraft:torch"
)

func pos(x, y, z int32) geom.Pos { return geom.Pos{X: x, Y: y, Z: z} }

func box(a, b geom.Pos) geom.Box { return geom.NewBox(a, b) }

// empty is a world of air.
func empty() *memory.Host {
	return memory.New(memory.Config{
		Pack: pack(), World: uuid.MustParse("11111111-1111-4111-8111-111111111111"), State: func(geom.Pos) string { return air },
	})
}

// project has all extensions that are decided here.
func project() plan.Project {
	return plan.Project{
		ID: "default", Player: uuid.MustParse("22222222-2222-4222-8222-222222222222"),
		Area:      box(pos(-100, -64, -100), pos(100, 319, 100)),
		MaxBlocks: 4096, Policy: blocks.DefaultPolicy(), Extensions: []string{plan.Replace, plan.Sphere, plan.Chain},
	}
}

// recipe writes one of these operations.
func recipe(operations ...string) json.RawMessage {
	return json.RawMessage(`{"version":1,"operations":[` + strings.Join(operations, ",") + `]}`)
}

func point(p geom.Pos) string { return fmt.Sprintf(`{"x":%d,"y":%d,"z":%d}`, p.X, p.Y, p.Z) }

func fill(a, b geom.Pos, block string) string {
	return fmt.Sprintf(`{"type":"box","min":%s,"max":%s,"block":%q}`, point(a), point(b), block)
}

func replace(a, b geom.Pos, from, block string) string {
	return fmt.Sprintf(`{"type":"replace","min":%s,"max":%s,"from":%q,"block":%q}`, point(a), point(b), from, block)
}

// one is the plan of a recipe that needs one.
func one(t *testing.T, h *memory.Host, p plan.Project, r plan.Request, operations ...string) plan.Plan {
	t.Helper()
	plans, err := plan.Build(t.Context(), h, p, recipe(operations...), r)
	if err != nil || len(plans) != 1 {
		t.Fatalf("%d plans, error %v", len(plans), err)
	}
	return plans[0]
}

// refused checks the code of an error and that its message has all parts.
func refused(t *testing.T, err error, code fault.Code, parts ...string) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("error %v, code %q, want %q", err, fault.CodeOf(err), code)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the message %q does not have %q", err, part)
		}
	}
}

// apply writes changes as an operation would.
func apply(t *testing.T, h *memory.Host, changes []plan.Change) {
	t.Helper()
	for _, c := range changes {
		h.Alter(c.Pos, c.After)
	}
}
