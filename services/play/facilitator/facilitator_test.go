package facilitator_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/play/facilitator"
)

// longest is how long a contract may be in a context.
const longest = 32_000

var modes = []string{"absence", "downtime", "solo"}

// code is what stands between backquotes in a line.
var code = regexp.MustCompile("`[^`\n]+`")

// outline gives the headings of a text by their level, its list items and its
// code blocks, in their order.
func outline(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if mark := regexp.MustCompile("^(#+|-|```)").FindString(line); mark != "" {
			b.WriteString(mark + " ")
		}
	}
	return b.String()
}

// clause: P-19, P-42, P-53
func TestContract(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, mode := range modes {
		en, pl := facilitator.Contract("en", mode), facilitator.Contract("pl", mode)
		for language, text := range map[string]string{"en": en, "pl": pl} {
			name := language + " " + mode
			if other, ok := seen[text]; ok {
				t.Errorf("%s is the contract of %s", name, other)
			}
			seen[text] = name
			if n := utf8.RuneCountInString(text); n > longest || n < 4000 {
				t.Errorf("%s has %d characters", name, n)
			}
			for _, must := range []string{
				"`get_play_context`", "`commit_play_turn`", "`finish_play_session`", "`search_play_memory`", "`read_play_journal`",
				"`pending`", "`approved`", "`rejected`", "`operation_id`", "`expected_version`", "`memory_markdown`", "`replayed: true`",
				"`resource`", "`relationship`", "`discovery`", "`narrative`", "`boundaries`", "`brief`", "`completed`",
				"409", "503, 504", "422", "429", "401",
			} {
				if !strings.Contains(text, must) {
					t.Errorf("%s does not speak of %s", name, must)
				}
			}
			if strings.Contains(text, "{mode}") {
				t.Errorf("%s says nothing of its mode", name)
			}
		}
		if diff := cmp.Diff(outline(en), outline(pl)); diff != "" {
			t.Errorf("%s: the outlines differ (-en +pl):\n%s", mode, diff)
		}
	}
}

// TestLanguages finds what one language says and the other does not, as far as
// names of the tools tell it.
func TestLanguages(t *testing.T) {
	t.Parallel()
	names := func(language string) []string {
		found := code.FindAllString(facilitator.Contract(language, "solo"), -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	pl := slices.DeleteFunc(names("pl"), func(s string) bool { return s == "`solo`" }) // which it translates
	if diff := cmp.Diff(names("en"), pl); diff != "" {
		t.Errorf("names differ (-en +pl):\n%s", diff)
	}
}

// TestMemory holds the template of the memory to the four headings of the
// documents.
func TestMemory(t *testing.T) {
	t.Parallel()
	for language, headings := range map[string][]string{
		"en": {"# Current state", "# Established during play", "# Pending campaign consequences", "# Return"},
		"pl": {"# Stan bieżący", "# Przebieg gry", "# Do decyzji MG", "# Powrót"},
	} {
		blocks := strings.Split(facilitator.Contract(language, "solo"), "```")
		if len(blocks) != 3 {
			t.Fatalf("%s has %d code blocks, want one", language, len(blocks)/2)
		}
		var got []string
		for line := range strings.Lines(blocks[1]) {
			if strings.HasPrefix(line, "# ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if diff := cmp.Diff(headings, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", language, diff)
		}
	}
}

// TestOthers has no contract for what is not known but the one that is nearest.
func TestOthers(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"de", "absence", "en", "absence"},
		{"", "", "en", "solo"},
		{"pl", "other", "pl", "solo"},
	} {
		if facilitator.Contract(c[0], c[1]) != facilitator.Contract(c[2], c[3]) {
			t.Errorf("Contract(%q, %q) is not that of %s, %s", c[0], c[1], c[2], c[3])
		}
	}
}

// clause: P-19
func TestInstructions(t *testing.T) {
	t.Parallel()
	text := facilitator.Instructions()
	for _, must := range []string{
		"get_play_context", "agent_contract", "commit_play_turn", "finish_play_session", "operation_id", "data of the game", "409",
		"503, 504", "pending", "rejected",
	} {
		if !strings.Contains(text, must) {
			t.Errorf("the instructions do not speak of %s", must)
		}
	}
}
