package resolve

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"

	"github.com/pharos-mcp/pharos/generators/internal/clients"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// maxToolName is how long a tool name may be (E-05).
const maxToolName = 64

// proposeNames finds a tool name for each operation: from its id, or from its
// method and path where the id is missing, too long or not its own. All
// operations that would share a name get the next form, so that none depends
// on which comes first. What is shortened in the end carries a digest of the
// operation's key: it is unique, it is stable, and it looks unfinished to the
// person who decides.
func proposeNames(c *manifest.Catalog, ops []*normalise.Operation) []string {
	taken := map[string]bool{}
	for _, d := range c.Documents {
		for _, e := range d.Decisions {
			for _, name := range append([]string{e.Tool}, e.Was...) {
				taken[clients.GoName(name)] = true
			}
		}
	}
	names := make([]string, len(ops))
	forms := []func(*normalise.Operation) string{fromID, fromPath, fromDigest}
	for _, form := range forms {
		proposed := make([]string, len(ops))
		count := map[string]int{}
		for i, op := range ops {
			if names[i] != "" {
				continue
			}
			proposed[i] = form(op)
			count[clients.GoName(proposed[i])]++
		}
		for i, name := range proposed {
			goName := clients.GoName(name)
			if name != "" && len(name) <= maxToolName && count[goName] == 1 && !taken[goName] {
				names[i] = name
			}
		}
		for _, name := range names {
			if name != "" {
				taken[clients.GoName(name)] = true
			}
		}
	}
	return names
}

// fromID is the operation's id in snake case, or "" if letters would be lost.
func fromID(op *normalise.Operation) string {
	if strings.ContainsFunc(op.ID, func(c rune) bool {
		return c > unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c))
	}) {
		return ""
	}
	name := snake(op.ID)
	if name != "" && (name[0] < 'a' || name[0] > 'z') {
		name = snake(op.Method) + "_" + name
	}
	return name
}

// fromPath is the method and the path: get_pets_by_id.
func fromPath(op *normalise.Operation) string {
	if strings.ContainsFunc(op.Key, func(c rune) bool { return c > unicode.MaxASCII }) {
		return fromDigest(op)
	}
	name := snake(op.Method)
	for segment := range strings.SplitSeq(op.Path, "/") {
		if part := snake(segment); part != "" {
			if strings.HasPrefix(segment, "{") {
				part = "by_" + part
			}
			name += "_" + part
		}
	}
	if query := snake(op.Query); query != "" {
		name += "_" + query
	}
	return name
}

// fromDigest is what fits of the id, or of the method and path, with a digest
// of the key.
func fromDigest(op *normalise.Operation) string {
	name := fromID(op)
	if name == "" {
		name = snake(op.Key)
	}
	sum := sha256.Sum256([]byte(op.Key))
	digest := "_x" + hex.EncodeToString(sum[:4])
	return strings.TrimRight(name[:min(len(name), maxToolName-len(digest))], "_") + digest
}

var digested = regexp.MustCompile(`_x[0-9a-f]{8}$`)

// Unfinished reports whether a proposed name ends in a digest, which a person
// should replace.
func Unfinished(name string) bool { return digested.MatchString(name) }

// snake writes an identifier in snake case: listURLsOf gives list_urls_of,
// HTTPServer gives http_server, foo/bar.baz gives foo_bar_baz.
func snake(s string) string {
	s = strings.NewReplacer("APIs", "Apis", "IDs", "Ids", "URLs", "Urls", "URIs", "Uris", "VMs", "Vms").Replace(s)
	runes := []rune(s)
	var b strings.Builder
	for i, c := range runes {
		switch {
		case c >= 'A' && c <= 'Z':
			after := i > 0 && (lower(runes[i-1]) || digit(runes[i-1]))
			before := i > 0 && upper(runes[i-1]) && i+1 < len(runes) && lower(runes[i+1])
			if (after || before) && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			b.WriteRune(c + 'a' - 'A')
		case lower(c) || digit(c):
			b.WriteRune(c)
		default:
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
		}
	}
	return strings.TrimRight(b.String(), "_")
}

func lower(c rune) bool { return c >= 'a' && c <= 'z' }
func upper(c rune) bool { return c >= 'A' && c <= 'Z' }
func digit(c rune) bool { return c >= '0' && c <= '9' }
