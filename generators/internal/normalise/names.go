package normalise

import (
	"strconv"
	"strings"
)

// maxName bounds the name of a shared schema, in bytes.
const maxName = 120

// goSafe turns any text into a name that matches ^[A-Za-z_][A-Za-z0-9_]*$ and
// has a letter. Runs of other characters become one underscore.
func goSafe(s string) string {
	var b strings.Builder
	gap, letter := false, false
	for i := 0; i < len(s) && b.Len() < maxName; i++ {
		c := s[i]
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isLetter && c != '_' && (c < '0' || c > '9') {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		if b.Len() == 0 && '0' <= c && c <= '9' {
			b.WriteByte('N')
			letter = true
		}
		letter = letter || isLetter
		b.WriteByte(c)
	}
	if !letter {
		return "Schema" + b.String()
	}
	return b.String()
}

// unique returns the name, or the first of NAME_2, NAME_3 … that no taken name
// equals when case and underscores are ignored, and takes it.
func unique(name string, taken map[string]bool) string {
	candidate := name
	for i := 2; taken[fold(candidate)]; i++ {
		candidate = name + "_" + strconv.Itoa(i)
	}
	taken[fold(candidate)] = true
	return candidate
}

func fold(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
