package blocks

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClasses counts what the classes hold, so that a change of a list or of the
// tables is seen.
func TestClasses(t *testing.T) {
	t.Parallel()
	want := map[string]map[Class]int{
		"1.20.2": {
			Cube: 225, Pillar: 53, Stairs: 53, Slab: 57, Leaves: 10, Snowy: 3, Air: 3, Connecting: 52, Attached: 42, "": 505,
		},
		"1.21.4": {
			Cube: 242, Pillar: 57, Stairs: 58, Slab: 62, Leaves: 11, Snowy: 3, Air: 3, Connecting: 57, Attached: 61, "": 541,
		},
	}
	got := map[string]map[Class]int{}
	placed := map[string][3]int{} // blocks of building classes, their states, and how many of these a plan may place
	for _, version := range Versions() {
		p := pack(t, version)
		got[version] = map[Class]int{}
		var n [3]int
		for _, k := range p.kinds {
			got[version][k.class]++
			if !slices.Contains(Building(), k.class) {
				continue
			}
			n[0]++
			n[1] += int(k.count)
			for id := k.first; id < k.first+k.count; id++ {
				if p.Allowed(DefaultPolicy(), p.states[id]) == nil {
					n[2]++
				}
			}
		}
		placed[version] = n
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks of each class (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][3]int{"1.20.2": {404, 5255, 2754}, "1.21.4": {436, 5742, 3005}}, placed); diff != "" {
		t.Errorf("building blocks (-want +got):\n%s", diff)
	}
}

// clause: W-13, W-33
func TestAllowed(t *testing.T) {
	t.Parallel()
	extended := Policy{Classes: append(Building(), Extensions()...)}
	named := Policy{
		Classes: Building(), Allow: []string{"minecraft:loom", "torch", "chest", "sand", "water", "oak_trapdoor", "oak_slab"},
		Deny: []string{"minecraft:stone", "dirt", "torch"},
	}
	const wet = "property waterlogged"
	tests := []struct {
		state string
		// Why each policy refuses it, or "".
		building, extended, named string
	}{
		{"air", "", "", ""},
		{"cave_air", "", "", ""},
		{"stone", "", "", "denied"},
		{"dirt", "", "", "denied"},
		{"glass", "", "", ""},
		{"oak_log[axis=x]", "", "", ""},
		{"oak_stairs[shape=outer_left]", "", "", ""},
		{"oak_stairs[waterlogged=true]", wet, wet, wet},
		{"oak_slab[type=double]", "", "", ""},
		{"oak_slab[waterlogged=true]", wet, wet, wet},
		{"oak_leaves[persistent=true]", "", "", ""},
		{"oak_leaves[persistent=false]", "property persistent", "property persistent", "property persistent"},
		{"oak_leaves[persistent=true,waterlogged=true]", wet, wet, wet},
		{"grass_block[snowy=true]", "", "", ""},
		{"cobblestone_wall", "class connecting", "", "class connecting"},
		{"oak_fence", "class connecting", "", "class connecting"},
		{"glass_pane", "class connecting", "", "class connecting"},
		{"iron_bars", "class connecting", "", "class connecting"},
		{"iron_bars[waterlogged=true]", "class connecting", wet, "class connecting"},
		{"oak_trapdoor", "class attached", "", ""},
		{"oak_trapdoor[powered=true]", "class attached", "property powered", "property powered"},
		{"oak_door", "class attached", "", "class attached"},
		{"ladder", "class attached", "", "class attached"},
		{"red_carpet", "class attached", "", "class attached"},
		{"oak_fence_gate", "no building block", "no building block", "no building block"},
		{"wall_torch", "no building block", "no building block", "no building block"},
		{"torch", "no building block", "no building block", "denied"},
		{"loom", "no building block", "no building block", ""},
		{"bedrock", "no building block", "no building block", "no building block"},
		{"infested_stone", "no building block", "no building block", "no building block"},
		{"infested_deepslate", "no building block", "no building block", "no building block"},
		{"tnt", "no building block", "no building block", "no building block"},
		{"chest", "block entity", "block entity", "block entity"},
		{"oak_wall_sign", "block entity", "block entity", "block entity"},
		{"spawner", "block entity", "block entity", "block entity"},
		{"red_bed", "block entity", "block entity", "block entity"},
		{"command_block", "block entity", "block entity", "block entity"},
		{"sand", "falls", "falls", "falls"},
		{"white_concrete_powder", "falls", "falls", "falls"},
		{"anvil", "falls", "falls", "falls"},
		{"water", "fluid", "fluid", "fluid"},
		{"kelp", "fluid", "fluid", "fluid"},
	}
	p := pack(t, "1.20.2")
	for _, test := range tests {
		state, err := p.Parse(test.state)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{test.building, test.extended, test.named, "-"}
		got := []string{
			reason(p.Allowed(DefaultPolicy(), state)), reason(p.Allowed(extended, state)), reason(p.Allowed(named, state)), "-",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.state, diff)
		}
		if reason(p.Allowed(Policy{}, state)) == "" {
			t.Errorf("a policy of nothing allows %s", state)
		}
	}
	for _, state := range []string{"", "stone", "minecraft:oak_log", "minecraft:pale_oak_planks"} {
		if got := reason(p.Allowed(DefaultPolicy(), state)); got != "no such block" {
			t.Errorf("%q: %q", state, got)
		}
	}
	const slab = "minecraft:oak_slab[type=bottom,waterlogged=true]"
	err, want := p.Allowed(DefaultPolicy(), slab), slab+" (property waterlogged): must be false"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// reason is the reason of a refusal, or "".
func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.(*Error).Reason
}

// clause: W-13, W-32
func TestReplaceable(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"air": "", "stone": "", "oak_stairs": "", "oak_leaves": "", "oak_leaves[persistent=false]": "",
		"cobblestone_wall": "", "oak_door": "", "red_carpet": "", "grass": "", "tall_grass": "", "dandelion": "",
		"red_tulip": "", "oak_sapling": "",
		"snow": "", "vine": "", "sand": "", "gravel": "", "infested_stone": "", "soul_sand": "", "redstone_ore": "",
		"chest": "block entity", "oak_sign": "block entity", "oak_wall_hanging_sign": "block entity",
		"red_bed": "block entity", "furnace": "block entity", "spawner": "block entity", "bell": "block entity",
		"white_shulker_box": "block entity",
		"skeleton_skull":    "block entity", "player_wall_head": "block entity", "lectern": "block entity",
		"water": "fluid", "lava": "fluid", "seagrass": "fluid", "oak_slab[waterlogged=true]": "property waterlogged",
		"bedrock": "not supported", "torch": "not supported", "lever": "not supported", "rail": "not supported",
		"nether_portal": "not supported", "wheat": "not supported", "piston_head": "not supported", "tnt": "not supported",
		"potted_red_tulip": "not supported", "potted_oak_sapling": "not supported", "barrier": "not supported",
		"end_portal_frame": "not supported", "cake": "not supported", "redstone_wire": "not supported",
	}
	p := pack(t, "1.20.2")
	got := map[string]string{}
	for text := range want {
		state, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got[text] = reason(p.Replaceable(state))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := reason(p.Replaceable("minecraft:stonee")); got != "no such block" {
		t.Errorf("an unknown state: %q", got)
	}
}

// TestPlacedIsReplaceable: what a plan places, another may take away, or an undo
// could not.
func TestPlacedIsReplaceable(t *testing.T) {
	t.Parallel()
	for _, version := range Versions() {
		p := pack(t, version)
		policy := Policy{Classes: append(Building(), Extensions()...)}
		for _, state := range p.states {
			if p.Allowed(policy, state) == nil && p.Replaceable(state) != nil {
				t.Errorf("%s: %v", version, p.Replaceable(state))
			}
		}
	}
}

// TestContentsAreRefused looks for containers and the like by what their states
// have, rather than by the list of their names.
func TestContentsAreRefused(t *testing.T) {
	t.Parallel()
	properties := []string{"occupied", "has_book", "has_record", "honey_level", "has_bottle_0"}
	endings := []string{"chest", "shulker_box", "furnace", "_sign", "_banner", "command_block"}
	for _, version := range Versions() {
		p := pack(t, version)
		for _, name := range slices.Sorted(maps.Keys(p.kinds)) {
			k := p.kinds[name]
			contents := slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) }) ||
				slices.ContainsFunc(k.properties, func(c choice) bool { return slices.Contains(properties, c.name) })
			if state := p.states[k.standard]; contents && reason(p.Replaceable(state)) != "block entity" {
				t.Errorf("%s: %s may be overwritten", version, state)
			}
		}
	}
}
