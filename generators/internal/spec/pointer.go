package spec

import (
	"net/url"
	"strconv"
	"strings"
)

// Tokens splits a fragment into the tokens of its JSON pointer, decoded. It
// returns false if the fragment is no pointer but a name. The pointer may lack
// its leading slash, as some documents write it.
func Tokens(fragment string) ([]string, bool) {
	if fragment == "" || fragment == "/" {
		return nil, true
	}
	if !strings.Contains(fragment, "/") {
		return nil, false
	}
	tokens := strings.Split(strings.TrimPrefix(fragment, "/"), "/")
	for i, t := range tokens {
		if decoded, err := url.PathUnescape(t); err == nil {
			t = decoded
		}
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return tokens, true
}

// Pointer writes tokens as a JSON pointer.
func Pointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(t, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// Step follows one token of a pointer: a member's name or an item's index. It
// returns nil where there is nothing.
func (n *Node) Step(token string) *Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == Object:
		return n.Get(token)
	case n.Kind == Array:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(n.Items) {
			return nil
		}
		return n.Items[i]
	default:
		return nil
	}
}
