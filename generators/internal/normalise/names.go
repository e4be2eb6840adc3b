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

// namer gives out names that stay different when case and underscores are
// ignored.
type namer struct {
	taken map[string]bool
	next  map[string]int // by folded name: the number to try next
}

// unique returns the name, or the first of NAME_2, NAME_3 … that is free.
func (n *namer) unique(name string) string {
	if n.taken == nil {
		n.taken, n.next = map[string]bool{}, map[string]int{}
	}
	candidate, key := name, fold(name)
	for n.taken[fold(candidate)] {
		n.next[key] = max(n.next[key]+1, 2)
		candidate = name + "_" + strconv.Itoa(n.next[key])
	}
	n.taken[fold(candidate)] = true
	return candidate
}

func fold(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
