package speech

import (
	"errors"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
)

// ErrParse is about a text that is not made of the phrases of its book, or that
// can be read in two ways.
var ErrParse = errors.New("speech: the text cannot be read")

// grammar is everything that a lexicon can say, by words.
type grammar struct {
	nodes   []node           // the first is the beginning of every phrase
	spelled map[string][]int // words by how they may be written
	words   map[string]int
}

// node is how far one is in phrases.
type node struct {
	next map[int]int // by word
	ends []meaning   // of phrases that end here
}

// grammarOf makes the grammar of a lexicon: its phrases with every number and
// name, and the words that its frames have of their own.
func grammarOf(l *lexicon) *grammar {
	g := &grammar{nodes: make([]node, 1), spelled: map[string][]int{}, words: map[string]int{}}
	for _, p := range l.buildings {
		for i := range l.names {
			g.learn(l.language, named(p.text, l.names, i), p.says)
		}
	}
	for _, list := range l.lists() {
		for i := range list {
			g.number(l, &list[i])
		}
	}
	for ago, list := range l.times {
		for i := range list {
			g.learn(l.language, list[i].with(l.language, int64(ago)), list[i].meaning(int64(ago)))
		}
	}
	for _, f := range l.frames {
		for _, part := range f.parts {
			for _, name := range slotNames {
				part = strings.ReplaceAll(part, name, "\n")
			}
			for words := range strings.SplitSeq(part, "\n") {
				g.learn(l.language, words, meaning{})
			}
		}
	}
	return g
}

// lists are the phrases that tell no time and name no building.
func (l *lexicon) lists() [][]phrase {
	lists := [][]phrase{l.points, l.fires, l.unknowns, l.seen, l.fillers, l.cuts}
	lists = append(lists, l.nones[:]...)
	lists = append(lists, l.severities[:]...)
	return append(lists, l.heads[:]...)
}

// number learns a phrase with every number that it can have.
func (g *grammar) number(l *lexicon, p *phrase) {
	if !p.numbered {
		g.learn(l.language, p.text, p.meaning(0))
		return
	}
	for n := int64(1); n <= maxNumber; n++ {
		g.learn(l.language, p.with(l.language, n), p.meaning(n))
	}
}

// learn adds a phrase, in both voices.
func (g *grammar) learn(language, text string, m meaning) {
	g.add(language, voiced(text, false), m)
	g.add(language, voiced(text, true), m)
}

func (g *grammar) add(language, text string, m meaning) {
	words := wordsOf(text)
	if len(words) == 0 {
		return
	}
	at := 0
	for _, w := range words {
		id := g.word(language, w)
		next, ok := g.nodes[at].next[id]
		if !ok {
			next = len(g.nodes)
			g.nodes = append(g.nodes, node{})
			if g.nodes[at].next == nil {
				g.nodes[at].next = map[int]int{}
			}
			g.nodes[at].next[id] = next
		}
		at = next
	}
	for _, known := range g.nodes[at].ends {
		if known == m {
			return
		}
	}
	g.nodes[at].ends = append(g.nodes[at].ends, m)
}

// word gives a word its number, and notes how it may be written: as it is, or
// with one letter missing.
func (g *grammar) word(language, w string) int {
	id, ok := g.words[w]
	if ok {
		return id
	}
	id = len(g.words)
	g.words[w] = id
	g.spelled[w] = append(g.spelled[w], id)
	runes := []rune(w)
	if len(runes) < leastSpoiled || w == place || isNumeral(language, w) {
		return id
	}
	last := ""
	for i := 1; i < len(runes)-1; i++ {
		spoiled := string(runes[:i]) + string(runes[i+1:])
		if spoiled != last { // of two equal letters either may be missing
			g.spelled[spoiled] = append(g.spelled[spoiled], id)
		}
		last = spoiled
	}
	return id
}

// Parse reads a text that was delivered at a tick with the phrases of its
// language and book. It finds every way to make the text of phrases, and there
// must be one that says what all of them say.
func Parse(text, language string, b Book, delivered int64) (claim.Label, error) {
	g := lexiconOf(language, b).grammar()
	words := wordsOf(text)
	reached := make([][]meaning, len(words)+1) // what may have been said before each word
	reached[0] = []meaning{{}}
	for i := range words {
		if len(reached[i]) > 0 {
			g.follow(words, i, i, 0, reached)
		}
	}
	if all := reached[len(words)]; len(all) == 1 && all[0].kind != "" {
		return all[0].label(delivered), nil
	}
	return claim.Label{}, ErrParse
}

// follow finds the phrases that begin with a word, from a node on.
func (g *grammar) follow(words []string, begin, at, from int, reached [][]meaning) {
	if at == len(words) {
		return
	}
	for _, id := range g.spelled[words[at]] {
		next, ok := g.nodes[from].next[id]
		if !ok {
			continue
		}
		for _, end := range g.nodes[next].ends {
			for _, before := range reached[begin] {
				if before.add(end) {
					reached[at+1] = with(reached[at+1], before)
				}
			}
		}
		g.follow(words, begin, at+1, next, reached)
	}
}

// with adds a meaning that is not there yet.
func with(all []meaning, m meaning) []meaning {
	for _, known := range all {
		if known == m {
			return all
		}
	}
	return append(all, m)
}
