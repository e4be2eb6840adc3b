package blocks

import (
	"errors"
	"strings"
	"testing"
)

// clause: W-12, W-33
func TestParse(t *testing.T) {
	t.Parallel()
	p := pack(t, "1.20.2")
	long := strings.Repeat("a", maxText)
	const stairs = "minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]"
	tests := []struct {
		text string
		// What Parse and Exact make of it: a state, or the reason of the refusal.
		parse, exact string
	}{
		{"minecraft:stone", "minecraft:stone", "minecraft:stone"},
		{"stone", "minecraft:stone", "(no such block)"},
		{"oak_log", "minecraft:oak_log[axis=y]", "(no such block)"},
		{"minecraft:oak_log", "minecraft:oak_log[axis=y]", "(properties)"},
		{"oak_log[axis=x]", "minecraft:oak_log[axis=x]", "(no such block)"},
		{"minecraft:oak_stairs[facing=east]", stairs, "(properties)"},
		{"minecraft:oak_stairs[waterlogged=false,half=bottom,shape=straight,facing=east]", stairs, stairs},
		{"minecraft:oak_log[axis=w]", "(property axis)", "(property axis)"},
		{"minecraft:oak_log[axis=X]", "(property axis)", "(property axis)"},
		{"minecraft:stone[foo=bar]", "(properties)", "(properties)"},
		{"minecraft:oak_log[axis=y,axis=y]", "(properties)", "(properties)"},
		{"minecraft:oak_log[axis=y,foo=bar]", "(properties)", "(properties)"},
		{"minecraft:stonee", "(no such block)", "(no such block)"},
		{"minecraft:Stone", "(no such block)", "(no such block)"},
		{"create:shaft[axis=x]", "(no such block)", "(no such block)"},
		{"minecraft:planks[variant=oak]", "(no such block)", "(no such block)"},
		{"minecraft:", "(no such block)", "(no such block)"},
		{":stone", "(no such block)", "(no such block)"},
		{"minecraft:oak_log[axis=y", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[axis=y]]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[axis=y]x", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[[axis=y]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[axis]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[axis=]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[=y]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[axis=y,]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[axis=y=y]", "(syntax)", "(syntax)"},
		{"minecraft:oak_log[axis= y]", "(syntax)", "(syntax)"},
		{"minecraft:stone ", "(syntax)", "(syntax)"},
		{"a:b:c", "(syntax)", "(syntax)"},
		{"[axis=y]", "(syntax)", "(syntax)"},
		{"", "(syntax)", "(syntax)"},
		{"minecraft:chest[facing=north]{Items:[]}", "(syntax)", "(syntax)"},
		{"minecraft:stone\x00\n", "minecraft:stone?? (syntax)", "minecraft:stone?? (syntax)"},
		{"minecraft:štone", "minecraft:?tone (syntax)", "minecraft:?tone (syntax)"},
		{long, "(no such block)", "(no such block)"},
		{long + "a", "(syntax)", "(syntax)"},
	}
	for _, test := range tests {
		for _, one := range []struct {
			name  string
			parse func(string) (string, error)
			want  string
		}{{"Parse", p.Parse, test.parse}, {"Exact", p.Exact, test.exact}} {
			got, err := one.parse(test.text)
			if err != nil {
				got = err.Error()
				if !errors.As(err, new(*Error)) {
					t.Errorf("%s(%q): %T", one.name, test.text, err)
				}
			}
			if refused := strings.Contains(one.want, "("); got != one.want && !(refused && strings.Contains(got, one.want)) {
				t.Errorf("%s(%q): %q, want %q", one.name, test.text, got, one.want)
			}
			if len(got) > 500 {
				t.Errorf("%s(%q): a message of %d bytes", one.name, test.text, len(got))
			}
		}
	}
}

// TestParseNamesTheWayOut has a model find out from the message what to write.
func TestParseNamesTheWayOut(t *testing.T) {
	t.Parallel()
	p := pack(t, "1.20.2")
	for text, want := range map[string]string{
		"oak_log[axis=w]": "oak_log[axis=w] (property axis): one of x, y, z",
		"oak_stairs[rotate=1]": "oak_stairs[rotate=1] (properties): minecraft:oak_stairs has facing, half, shape, " +
			"waterlogged",
		"stone[axis=y]":          "stone[axis=y] (properties): minecraft:stone has no properties",
		"oak_log[axis=y,axis=x]": "oak_log[axis=y,axis=x] (properties): axis is given twice",
		"pale_oak_planks":        "pale_oak_planks (no such block): in 1.20.2",
	} {
		if _, err := p.Parse(text); err == nil || err.Error() != want {
			t.Errorf("Parse(%q): %v, want %s", text, err, want)
		}
	}
	if got, err := pack(t, "1.21.4").Parse("pale_oak_planks"); err != nil || got != "minecraft:pale_oak_planks" {
		t.Errorf("1.21.4: %q, %v", got, err)
	}
}

// FuzzParse: whatever comes, a result is a state that both parsers keep, Exact
// takes nothing that Parse refuses or reads otherwise, and messages stay small.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"minecraft:stone", "oak_log[axis=x]", "oak_stairs[half=top,facing=west]", "minecraft:oak_log[axis=y", "a:b:c",
		"[=]", "\xff", "é[",
		"minecraft:cobblestone_wall[east=low,north=none,south=tall,up=true,waterlogged=false,west=none]",
	} {
		f.Add(seed)
	}
	p := pack(f, Default)
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := p.Parse(text)
		exact, exactErr := p.Exact(text)
		if err != nil {
			if exactErr == nil || parsed != "" || exact != "" || len(err.Error()) > 1000 {
				t.Fatalf("Parse: %q, %v; Exact: %q, %v", parsed, err, exact, exactErr)
			}
			return
		}
		if !p.Known(parsed) {
			t.Fatalf("Parse(%q) is %q, which is no state", text, parsed)
		}
		if exactErr == nil && exact != parsed {
			t.Fatalf("Exact(%q) is %q, Parse %q", text, exact, parsed)
		}
		if again, err := p.Exact(parsed); err != nil || again != parsed {
			t.Fatalf("Exact(%q) is %q, %v", parsed, again, err)
		}
	})
}
