package tool

// class is a set of bytes that stand for themselves in a URL.
type class [256]bool

var (
	// unreserved are the characters of RFC 3986, section 2.3.
	unreserved = classOf("-._~")
	// reserved adds those of section 2.2 that cannot change what the query
	// means: it lacks # [ ] & +.
	reserved = classOf("-._~:/?@!$'()*,;=")
	// token are the characters of a name in HTTP (RFC 9110, section 5.6.2) but
	// for %, which the encoding needs.
	token = classOf("!#$&'*+-.^_`|~")
)

func classOf(marks string) *class {
	var c class
	for b := '0'; b <= '9'; b++ {
		c[b] = true
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = true, true
	}
	for i := range len(marks) {
		c[marks[i]] = true
	}
	return &c
}

// appendEscaped percent-encodes every byte of s that is not in the class; a nil
// class has all bytes.
func appendEscaped(dst []byte, s string, c *class) []byte {
	if c == nil {
		return append(dst, s...)
	}
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		if b := s[i]; c[b] {
			dst = append(dst, b)
		} else {
			dst = append(dst, '%', hex[b>>4], hex[b&15])
		}
	}
	return dst
}
