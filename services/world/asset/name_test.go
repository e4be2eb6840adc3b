package asset_test

import (
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/asset"
)

// clause: W-31
func TestIDFor(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"house":                         "house",
		"House":                         "house",
		"Old House 2":                   "old-house-2",
		"a_b-c":                         "a_b-c",
		"7":                             "7",
		strings.Repeat("x", 64):         strings.Repeat("x", 64),
		strings.Repeat("x", 63) + "!":   strings.Repeat("x", 55) + "-8c0311be",
		"house!":                        "house-f6f1aa87",
		"Haus":                          "haus",
		"дом":                           "schematic-f5b3d757",
		"../../etc/passwd":              "etc-passwd-3754d6cb",
		"_x":                            "x-a01e47cb",
		" ":                             "schematic-36a9e7f1",
		strings.Repeat("ä", 64):         "schematic-2dd2100f",
		"con\u00a0x":                    "",
		"":                              "",
		"a\nb":                          "",
		"a\x00":                         "",
		"\xff":                          "",
		strings.Repeat("ä", 65):         "",
		"right-to-left \u202e override": "",
	} {
		got, err := asset.IDFor(name)
		if want == "" {
			if fault.CodeOf(err) != fault.Invalid {
				t.Errorf("IDFor(%q) = %q, %v, want a refusal", name, got, err)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("IDFor(%q) = %q, %v, want %q", name, got, err, want)
		}
		if !asset.ValidID(got) {
			t.Errorf("IDFor(%q) = %q, which is no id", name, got)
		}
	}
}

// clause: W-31
func TestOtherNamesHaveOtherIDs(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, name := range []string{"house!", "house?", "house.", "hou/se", "höuse", "häuse", "дом", "дым", "house", "house_", "-house", "é", "e\u0301"} {
		id, err := asset.IDFor(name)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q are both %s", name, other, id)
		}
		seen[id] = name
	}
}
