package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pharos-mcp/pharos/services/play/fold"
)

// How long the texts of a turn are, in characters.
const (
	actionSize    = 200
	narrationSize = 1600
	memorySize    = 4000
)

// search is something to look for in the journals of both sessions. Where every
// is set, the query stands in every so many events, and once in a session where
// once is.
type search struct {
	name, query string
	every       int
	once        bool
}

// searches have queries of 1, 2 and 20 characters: what is everywhere, what is
// in some events, what is in one that is not among the latest, and what is in
// none. The usual words, of which every piece is somewhere, are added.
var searches = []search{
	{name: "1, common", query: "a"}, {name: "1, once", query: "q", once: true}, {name: "1, none", query: "7"},
	{name: "2, common", query: "ka"}, {name: "2, of 1%", query: "xv", every: 100},
	{name: "2, once", query: "qx", once: true}, {name: "2, none", query: "77"},
	{name: "20, common", query: "the lantern goes out", every: 3}, {name: "20, of 5%", query: "twenty bells far off", every: 20},
	{name: "20, of 1%", query: "a dragon over Harrow", every: 100},
	{name: "20, once", query: "quiet under the ice,", once: true}, {name: "20, none", query: "vermilion castles x8"},
}

// words are what texts are made of, the more common the earlier. Two thirds are
// with Polish letters.
var words = func() []string {
	syllables := strings.Fields("ka mi ra zło po stra szę ny wie lo to mar in ter on ąć ło dź san dor fen el pi gra dom kot las rze")
	random := rand.New(rand.NewPCG(1, 2))
	var out []string
	for range 4000 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(syllables[random.IntN(len(syllables))])
		}
		out = append(out, b.String())
	}
	return out
}()

// prose makes up a text of so many characters or a few more.
func prose(random *rand.Rand, size int) string {
	zipf := rand.NewZipf(random, 1.1, 4, uint64(len(words)-1))
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(words[zipf.Uint64()])
		b.WriteString([]string{" ", ", ", ". "}[max(0, random.IntN(16)-13)])
	}
	return b.String()
}

// turnText is what a turn says.
type turnText struct {
	action, narration string
	folded            string
}

// newTurn makes up a turn, with other words at the end of its narration.
func newTurn(random *rand.Rand, and string) turnText {
	t := turnText{action: prose(random, actionSize), narration: prose(random, narrationSize) + and}
	t.folded = fold.Text(fold.Join(t.action, t.narration))
	return t
}

// journal makes up the turns of a session, with what is looked for in them.
func journal(turns int) []turnText {
	random := rand.New(rand.NewPCG(3, 4))
	out := make([]turnText, turns)
	for i := range out {
		var and strings.Builder
		for _, s := range searches {
			if s.once && i == turns/3 || s.every > 0 && i%s.every == s.every/2 {
				and.WriteString(s.query + ". ")
			}
		}
		out[i] = newTurn(random, and.String())
	}
	return out
}

// usual gives 20 characters of usual words that are in none of the turns, though
// the turns have every piece of them.
func usual(turns []turnText) (string, error) {
	for i := range len(words) / 4 {
		query := []rune(strings.Join(words[i:i+20], " "))[:20]
		folded := fold.Text(string(query))
		found := strings.HasSuffix(folded, " ")
		for n := 0; !found && n < len(turns); n++ {
			found = strings.Contains(turns[n].folded, folded)
		}
		if !found {
			return string(query), nil
		}
	}
	return "", fmt.Errorf("everything that is made of usual words is somewhere in %d turns", len(turns))
}
