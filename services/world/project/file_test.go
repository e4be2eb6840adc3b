package project_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// Everything in a file has a meaning.
//
// clause: W-13
func TestFile(t *testing.T) {
	t.Parallel()
	c := config(t)
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	c.Pack = pack
	b, err := written(t, c, of(usual+`,"max_plan_blocks":1,"extensions":["attached","sphere"],
		"blocks":{"classes":["cube"],"allow":["glowstone","minecraft:torch"],"deny":["stone"]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Check("default", owner, project.Build)
	if err != nil {
		t.Fatal(err)
	}
	want := blocks.Policy{
		Classes: []blocks.Class{blocks.Cube, blocks.Attached},
		Allow:   []string{"minecraft:glowstone", "minecraft:torch"}, Deny: []string{"minecraft:stone"},
	}
	if diff := cmp.Diff(want, got.Policy); diff != "" {
		t.Error(diff)
	}
	if got.MaxPlanBlocks != 1 || !got.Has(project.Sphere) || got.Has(project.Replace) {
		t.Errorf("%+v", got)
	}
}

// The bounds of a file, from inside.
//
// clause: W-12
func TestBoundsInside(t *testing.T) {
	t.Parallel()
	many := func(n int, f func(int) string) string {
		var all []string
		for i := range n {
			all = append(all, f(i))
		}
		return strings.Join(all, ",")
	}
	for name, text := range map[string]string{
		"4,096 blocks": of(usual + `,"max_plan_blocks":4096`),
		"the whole world": of(strings.Replace(usual, `"min":{"x":0,"y":0,"z":0},"max":{"x":9,"y":9,"z":9}`,
			`"min":{"x":-1000,"y":-64,"z":-1000},"max":{"x":1000,"y":319,"z":1000}`, 1)),
		"64 projects": `{"version":1,"projects":[` + many(64, func(i int) string { return fmt.Sprintf(`{"id":"p%d",%s}`, i, usual) }) + `]}`,
		"1,024 players": `{"version":1,"projects":[],"players":[` +
			many(1024, func(i int) string { return fmt.Sprintf(`{"player":"p%d","permissions":[]}`, i) }) + `]}`,
		"a long id":   strings.Replace(of(usual), "default", strings.Repeat("p", 64), 1),
		"1 MiB":       of(usual) + strings.Repeat(" ", project.MaxFile-len(of(usual))),
		"1,024 names": of(usual + `,"blocks":{"deny":[` + many(1024, func(int) string { return `"stone"` }) + `]}`),
	} {
		if _, err := written(t, config(t), text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Everything that is wrong is named at once, with its place.
//
// clause: W-13
func TestWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"no JSON":         {"{", []string{"ends too early"}},
		"more than one":   {of(usual) + "{}", []string{"more than one value"}},
		"unknown":         {of(usual + `,"colour":"red"`), []string{"colour"}},
		"twice":           {of(usual + `,"owner":"x"`), []string{"owner"}},
		"null":            {of(usual + `,"extensions":null`), []string{"extensions"}},
		"another kind":    {of(usual + `,"max_plan_blocks":"1"`), []string{"max_plan_blocks"}},
		"a fraction":      {of(usual + `,"max_plan_blocks":1.5`), []string{"max_plan_blocks"}},
		"too large":       {of(usual) + strings.Repeat(" ", project.MaxFile), []string{"1048576 bytes"}},
		"another version": {`{"version":2,"projects":[]}`, []string{"version: 2 is not 1"}},
		"no blocks":       {of(usual + `,"max_plan_blocks":0`), []string{"projects[0].max_plan_blocks: 0 is not 1 to 4096"}},
		"too many":        {of(usual + `,"max_plan_blocks":4097`), []string{"projects[0].max_plan_blocks: 4097"}},
		"beyond the world": {of(strings.Replace(usual, `"x":9`, `"x":1001`, 1)),
			[]string{"projects[0].area: is not within the world, which reaches from -1000 -64 -1000 to 1000 319 1000"}},
		"turned round":  {of(strings.Replace(usual, `"x":9`, `"x":-1`, 1)), []string{"projects[0].area: min is greater"}},
		"half a corner": {of(strings.Replace(usual, `"x":9,`, "", 1)), []string{"projects[0].area.max: x, y and z"}},
		"all at once": {`{"version":1,"projects":[{"id":"a b","owner":"me","extensions":["fly","sphere","sphere"],
			"blocks":{"classes":["connecting"],"allow":["Stone"],"deny":["a:b"]}},{"id":"p",` + usual + `},{"id":"p",` + usual + `}],
			"players":[{"player":"!","permissions":["fly"]},{"player":"A","permissions":[]},{"player":"a","permissions":[]}]}`, []string{
			"projects[0].id", "projects[0].owner", "projects[0].permissions: is missing", "projects[0].area: is missing",
			"projects[0].extensions[0]", `projects[0].extensions[2]: "sphere" is there twice`, "projects[0].blocks.classes[0]",
			"projects[0].blocks.allow[0]", "projects[0].blocks.deny[0]", `projects[2].id: "p" is there twice`,
			"players[0].player", "players[0].permissions[0]", `players[2].player: "a" is there twice`,
		}},
		"a capital UUID": {of(strings.Replace(usual, owner.String(), "AAAAAAAA-1111-4111-8111-111111111111", 1)), []string{"projects[0].owner"}},
		"65 projects":    {`{"version":1,"projects":[` + strings.Repeat(`{"id":"p",`+usual+`},`, 64) + `{"id":"p",` + usual + `}]}`, []string{"projects: 65"}},
		"1,025 players": {`{"version":1,"projects":[],"players":[` + strings.Repeat(`{"player":"*","permissions":[]},`, 1024) +
			`{"player":"*","permissions":[]}]}`, []string{"players: 1025"}},
		"1,025 names": {of(usual + `,"blocks":{"deny":[` + strings.Repeat(`"stone",`, 1024) + `"stone"]}`), []string{"deny: 1025"}},
		"a long id":   {strings.Replace(of(usual), "default", strings.Repeat("p", 65), 1), []string{"projects[0].id"}},
	} {
		_, err := written(t, config(t), c.text)
		if err == nil {
			t.Errorf("%s: it is taken", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not said: %v", name, want, err)
			}
		}
	}
	c := config(t)
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	c.Pack = pack
	if _, err := written(t, c, of(usual+`,"blocks":{"deny":["stoen"]}`)); err == nil || !strings.Contains(err.Error(), "stoen") {
		t.Errorf("a block that does not exist: %v", err)
	}
}
