package blocks

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pack(t testing.TB, version string) *Pack {
	t.Helper()
	p, err := Load(version)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLoad(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"1.20.2", "1.21.4"}, Versions()); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
	type figures struct {
		DataVersion int32
		Kinds       int
		States      int
	}
	want := map[string]figures{"1.20.2": {3578, 1003, 24276}, "1.21.4": {4189, 1095, 27866}}
	for _, version := range Versions() {
		p := pack(t, version)
		if got := (figures{p.DataVersion(), len(p.kinds), p.Count()}); got != want[version] || p.Version() != version {
			t.Errorf("%s calls itself %s and has %+v, want %+v", version, p.Version(), got, want[version])
		}
		if again := pack(t, version); again != p {
			t.Errorf("%s is made twice", version)
		}
	}
	for _, version := range []string{"", "1.20.3", "../data/1.20.2", "LICENSE"} {
		if p, err := Load(version); p != nil || !errors.As(err, new(*VersionError)) {
			t.Errorf("Load(%q): %v, %v", version, p, err)
		}
	}
	if !slices.Contains(Versions(), Default) {
		t.Errorf("there is no pack of the default %s", Default)
	}
}

// TestStates goes through all states: numbers and texts are each other's
// inverse, and every text is what both parsers make of it.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, version := range Versions() {
		p := pack(t, version)
		for id := range int32(p.Count()) {
			state, ok := p.State(id)
			back, found := p.ID(state)
			if !ok || !found || back != id || !p.Known(state) {
				t.Fatalf("%s: state %d is %q, which has the number %d", version, id, state, back)
			}
			name, properties := Split(state)
			if Join(name, properties) != state {
				t.Fatalf("%s: %q joined is %q", version, state, Join(name, properties))
			}
			for _, parse := range []func(string) (string, error){p.Parse, p.Exact} {
				for _, text := range []string{state, backwards(name, properties)} {
					if got, err := parse(text); err != nil || got != state {
						t.Fatalf("%s: %q parses to %q, %v, want %q", version, text, got, err, state)
					}
				}
			}
		}
		for _, id := range []int32{-1, int32(p.Count()), 1<<31 - 1, -1 << 31} {
			if state, ok := p.State(id); ok || state != "" {
				t.Errorf("%s: state %d is %q", version, id, state)
			}
		}
		for _, state := range []string{"", "stone", "minecraft:stone[]", "minecraft:oak_log"} {
			if id, ok := p.ID(state); ok || p.Known(state) {
				t.Errorf("%s: %q has the number %d", version, state, id)
			}
		}
	}
}

// backwards writes a state with its properties in the order that is not canonical.
func backwards(name string, properties []Property) string {
	var items []string
	for _, p := range slices.Backward(properties) {
		items = append(items, p.Name+"="+p.Value)
	}
	if items == nil {
		return name
	}
	return name + "[" + strings.Join(items, ",") + "]"
}

// TestNumbers compares with numbers that the game is known to have.
func TestNumbers(t *testing.T) {
	t.Parallel()
	p := pack(t, "1.20.2")
	want := map[string]int32{
		"minecraft:air":                                     0,
		"minecraft:stone":                                   1,
		"minecraft:grass_block[snowy=false]":                9,
		"minecraft:oak_log[axis=x]":                         130,
		"minecraft:oak_log[axis=y]":                         131,
		"minecraft:oak_slab[type=bottom,waterlogged=false]": 11165,
	}
	got := map[string]int32{}
	for state := range want {
		got[state], _ = p.ID(state)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		state      string
		name       string
		properties []Property
	}{
		{"minecraft:stone", "minecraft:stone", nil},
		{"minecraft:oak_log[axis=y]", "minecraft:oak_log", []Property{{"axis", "y"}}},
		{
			"minecraft:oak_slab[type=top,waterlogged=false]", "minecraft:oak_slab",
			[]Property{{"type", "top"}, {"waterlogged", "false"}},
		},
	}
	for _, test := range tests {
		name, properties := Split(test.state)
		if diff := cmp.Diff(test.properties, properties); diff != "" || name != test.name {
			t.Errorf("%s: %s (-want +got):\n%s", test.state, name, diff)
		}
		for _, p := range properties {
			if got := Get(test.state, p.Name); got != p.Value {
				t.Errorf("%s: %s is %q", test.state, p.Name, got)
			}
		}
		if got := Get(test.state, "half"); got != "" {
			t.Errorf("%s: half is %q", test.state, got)
		}
	}
}
