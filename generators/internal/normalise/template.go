package normalise

import (
	"fmt"
	"strings"
)

// template is a path key taken apart.
type template struct {
	path  string   // the path, placeholders as written
	query string   // the part behind ?, as written but for &amp;
	names []string // {?a,b}: query parameters named by the template itself
}

// splitKey takes a path key apart: the query and the fragment that some
// documents put there are no part of the path.
func splitKey(key string) template {
	var t template
	depth, end := 0, len(key)
scan:
	for i := 0; i < len(key); i++ {
		switch key[i] {
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		case '?', '#':
			if depth == 0 {
				end = i
				break scan
			}
		}
	}
	t.path = strings.TrimSpace(key[:end])
	if _, rest, ok := strings.Cut(t.path, "://"); ok { // a whole URL: its origin is not the document's to choose
		t.path = ""
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			t.path = rest[i:]
		}
	}
	rest, _, _ := strings.Cut(key[end:], "#")
	t.query = strings.ReplaceAll(strings.TrimPrefix(rest, "?"), "&amp;", "&")
	for {
		open := strings.Index(t.path, "{?")
		if open < 0 {
			open = strings.Index(t.path, "{&")
		}
		if open < 0 {
			break
		}
		length := strings.IndexByte(t.path[open:], '}')
		if length < 0 {
			break
		}
		for _, name := range strings.Split(t.path[open+2:open+length], ",") {
			t.names = append(t.names, strings.TrimSuffix(name, "*"))
		}
		t.path = t.path[:open] + t.path[open+length+1:]
	}
	if !strings.HasPrefix(t.path, "/") {
		t.path = "/" + t.path
	}
	return t
}

// piece is a literal or a placeholder of a path.
type piece struct {
	text        string
	placeholder bool
}

// pieces splits a path at its placeholders. Braces inside a placeholder, as in
// {id:\d{3}}, belong to it; a brace without its partner is literal.
func pieces(path string) []piece {
	var list []piece
	start := 0
	for i := 0; i < len(path); i++ {
		if path[i] != '{' {
			continue
		}
		end := closing(path, i)
		if end < 0 {
			continue
		}
		if start < i {
			list = append(list, piece{text: path[start:i]})
		}
		list = append(list, piece{text: path[i+1 : end], placeholder: true})
		i, start = end, end+1
	}
	if start < len(path) {
		list = append(list, piece{text: path[start:]})
	}
	return list
}

// closing finds the partner of the brace at i, or -1.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// placeholderNames are the parameter names that a placeholder may stand for, the
// likeliest first: as it is, without the operators of URI templates, and
// without a regular expression behind a colon.
func placeholderNames(s string) []string {
	plain := strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(s), "+"), "*")
	before, _, _ := strings.Cut(plain, ":")
	return []string{s, strings.TrimSpace(s), plain, strings.TrimSpace(before)}
}

const (
	unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	pathSafe   = unreserved + "!$&'()*+,;=:@/"
	querySafe  = pathSafe + "?"
)

// escape percent-encodes everything outside of the safe characters; what is
// encoded already stays.
func escape(s, safe string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		encoded := c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		if encoded || strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// leavesSegment reports whether a literal path has a dot segment, in any
// spelling.
func leavesSegment(path string) bool {
	for _, segment := range strings.Split(path, "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".", "..":
			return true
		}
	}
	return false
}
