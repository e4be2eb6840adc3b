package speech

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
)

// files are the phrases. A line that begins with = names the section that
// follows, and one that begins with # is a remark.
//
//go:embed lexicon
var files embed.FS

// Languages are those that callers speak.
func Languages() []string { return []string{"en", "pl"} }

// lexicon is a language of a book.
type lexicon struct {
	language          string
	names             []string // of houses
	buildings, points []phrase
	fires, unknowns   []phrase
	nones             [len(negations)][]phrase
	seen              []phrase
	severities        [len(severities)][]phrase
	heads             [len(qualifiers)][]phrase
	times             [maxAgo + 1][]phrase
	fillers, cuts     []phrase
	frames            []frame

	grammar func() *grammar
}

// types are the phrases for what a claim says is there.
func (l *lexicon) types(c *claim.Claim) []phrase {
	switch c.Type {
	case claim.Fire:
		return l.fires
	case claim.Unknown:
		return l.unknowns
	default:
		return l.nones[slices.Index(negations[:], c.Negations[0])]
	}
}

var loaded = sync.OnceValue(func() (all [2][2]*lexicon) {
	for b, book := range [...]string{"a", "b"} {
		for i, language := range Languages() {
			text, err := files.ReadFile(fmt.Sprintf("lexicon/%s.%s.txt", book, language))
			if err != nil {
				panic(err) // it is embedded
			}
			all[b][i] = read(language, string(text))
		}
	}
	return all
})

func lexiconOf(language string, b Book) *lexicon {
	return loaded()[b][slices.Index(Languages(), language)]
}

// SHA256 is the digest, in hexadecimal, of all phrases.
func SHA256() string {
	h := sha256.New()
	for _, book := range [...]string{"a", "b"} {
		for _, language := range Languages() {
			text, err := files.ReadFile(fmt.Sprintf("lexicon/%s.%s.txt", book, language))
			if err != nil {
				panic(err) // it is embedded
			}
			fmt.Fprintln(h, book, language, len(text))
			h.Write(text)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// read reads a lexicon.
func read(language, text string) *lexicon {
	l := &lexicon{language: language}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, begins := strings.CutPrefix(line, "= ")
		switch {
		case line == "" || line[0] == '#':
		case begins:
			section = name
		default:
			l.take(section, line)
		}
	}
	l.grammar = sync.OnceValue(func() *grammar { return grammarOf(l) })
	return l
}

// take takes a line of a section.
func (l *lexicon) take(section, line string) {
	name, of, _ := strings.Cut(section, " ")
	into := map[string]*[]phrase{
		"building": &l.buildings, "point": &l.points, "seen": &l.seen, "filler": &l.fillers, "cut": &l.cuts,
	}[name]
	var says meaning
	switch name {
	case "name":
		l.names = append(l.names, line)
		return
	case "frame":
		l.frames = append(l.frames, frameOf(line))
		return
	case "fire":
		into, says.kind = &l.fires, claim.Fire
	case "unknown":
		into, says.kind = &l.unknowns, claim.Unknown
	case "none":
		says.kind, says.negation = claim.None, claim.Negation(of)
		into = &l.nones[slices.Index(negations[:], says.negation)]
	case "severity":
		says.severity = claim.Severity(of)
		into = &l.severities[severityIndex(says.severity)]
	case "heads":
		says.qualifier = claim.Qualifier(of)
		into = &l.heads[qualifierIndex(says.qualifier)]
	case "time":
		says.timed = true
		l.takeTime(phraseOf(line, says), of)
		return
	}
	*into = append(*into, phraseOf(line, says))
}

// takeTime takes what tells one time, or any but that of the call.
func (l *lexicon) takeTime(p phrase, of string) {
	if ago, err := strconv.Atoi(of); err == nil {
		l.times[ago] = append(l.times[ago], p)
		return
	}
	for ago := 1; ago <= maxAgo; ago++ {
		l.times[ago] = append(l.times[ago], p)
	}
}
