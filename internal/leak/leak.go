// Package leak finds secrets of this system where none may be: in what tests
// log and print, in pages, errors and addresses. Secrets are made to be found:
// each begins with the name of its kind, and a token looks like one.
//
// A package's TestMain calls Main, which reads along with all that its tests
// print; a test gives its logs to Watch. One secret in either fails the run.
package leak

import (
	"regexp"
	"slices"
	"strings"
)

// forms are what secrets look like. pharos_client_ is no secret: it is the id
// of a client, and stands in every access token.
var forms = map[string]*regexp.Regexp{
	"secret":      regexp.MustCompile(`pharos_(?:ask|author|browser|code|edge|login|pat|play|refresh|session|state)_[A-Za-z0-9_-]{16,}`),
	"JWT":         regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`),
	"private key": regexp.MustCompile(`"d"\s*:\s*"[A-Za-z0-9_-]{43}"`),
}

// Kinds are the kinds of secrets in a text, each once, in the order of their
// names: by its prefix, or "JWT" or "private key". It gives no secret away.
func Kinds(text string) (kinds []string) {
	for _, name := range []string{"JWT", "private key", "secret"} {
		for _, found := range forms[name].FindAllString(text, -1) {
			kind := name
			if name == "secret" {
				kind = found[:strings.IndexByte(found[len("pharos_"):], '_')+len("pharos_")+1]
			}
			kinds = insert(kinds, kind)
		}
	}
	return kinds
}

func insert(sorted []string, kind string) []string {
	at, found := slices.BinarySearch(sorted, kind)
	if found {
		return sorted
	}
	return slices.Insert(sorted, at, kind)
}
