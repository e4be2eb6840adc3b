package tool

// appendCookie adds a parameter to the value of a Cookie header.
func appendCookie(dst []byte, name string, s Style, v value) ([]byte, error) {
	if v.shape == absent {
		return dst, nil
	}
	if len(dst) > 0 {
		dst = append(dst, "; "...)
	}
	return cookieSyntax.append(dst, name, s.has(Explode), v)
}
