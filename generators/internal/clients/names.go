package clients

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

// GoName is the exported Go name of a tool: close_support_ticket becomes
// CloseSupportTicket. Tool names that differ only by underscores share one;
// the caller has to refuse those.
func GoName(tool string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(tool, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// maxName bounds the names made here; longer ones are cut and stay unique by
// their number.
const maxName = 96

// identifier makes an exported Go identifier out of any text, or returns the
// fallback if nothing in the text can be part of one. The result is left as it
// is by oapi-codegen's own name normaliser.
func identifier(text, fallback string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !cased(r) }) {
		for i, r := range initialism(word) {
			if i == 0 {
				b.WriteString(strings.ToUpper(string(r)))
			} else {
				b.WriteRune(r)
			}
		}
	}
	name := b.String()
	if name != "" && unicode.IsDigit([]rune(name)[0]) {
		name = "N" + name
	}
	if runes := []rune(name); len(runes) > maxName {
		name = string(runes[:maxName])
	}
	if !token.IsIdentifier(name) || !token.IsExported(name) || codegen.ToCamelCase(name) != name {
		return fallback
	}
	return name
}

// cased reports whether oapi-codegen keeps the character in a name.
func cased(r rune) bool { return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsDigit(r) }

// initialism writes the words that parameters and properties most often are,
// or end in, as Go does: petId becomes petID.
func initialism(word string) string {
	for _, end := range []string{"id", "url", "uri"} {
		if strings.ToLower(word) == end {
			return strings.ToUpper(word)
		}
		if stem, ok := strings.CutSuffix(word, strings.ToUpper(end[:1])+end[1:]); ok {
			return stem + strings.ToUpper(end)
		}
	}
	return word
}

// namer hands out names that are unique within it.
type namer map[string]bool

// unique returns the name, or the name with the first free number from 2 on
// before the suffix.
func (n namer) unique(name, suffix string) string {
	candidate := name + suffix
	for i := 2; n[candidate]; i++ {
		candidate = name + strconv.Itoa(i) + suffix
	}
	n[candidate] = true
	return candidate
}

// argument makes the name of a path parameter fit to be, with a small first
// letter, an argument of generated functions.
func argument(name string) string {
	variable := codegen.LowercaseFirstCharacters(name)
	if token.IsKeyword(variable) || types.Universe.Lookup(variable) != nil || taken[variable] {
		return name + "Param"
	}
	return name
}

// taken are the names that generated functions use for something else: their
// other arguments and variables and the packages they import.
var taken = map[string]bool{
	"base": true, "body": true, "bytes": true, "context": true, "cookie": true, "ctx": true,
	"data": true, "decoded": true, "err": true, "errors": true, "fmt": true, "form": true,
	"handler": true, "headers": true, "http": true, "io": true, "json": true, "mime": true,
	"multipart": true, "n": true, "params": true, "r": true, "reader": true, "request": true,
	"response": true, "runtime": true, "sh": true, "siw": true, "strings": true, "time": true,
	"tool": true, "url": true, "v": true, "value": true, "w": true,
}
