package speech

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// How often there is which noise, in permille.
const (
	small   = 150
	shouted = 60
	broken  = 80
	spoiled = 250
)

// noise is what is wrong with how a text was taken down.
type noise struct {
	small   bool  // it has no capitals
	shouts  bool  // what is there is in capitals
	cut     bool  // the line breaks off
	letters int64 // that are missing
}

func noiseOf(s *stream.Stream) noise {
	n := noise{small: s.Permille(small), shouts: s.Permille(shouted), cut: s.Permille(broken)}
	if spoils, letters := s.Permille(spoiled), s.Range(1, 3); spoils {
		n.letters = letters
	}
	return n
}

// identifier is a building as texts have it.
func identifier(building int) string { return "<l" + strconv.Itoa(building) + ">" }

// each makes something of each word that is neither identifier nor numeral; a
// word is a run of letters. What it is made into is appended.
func each(language, text string, of func(to, word []rune) []rune) string {
	runes := []rune(text)
	made := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); {
		end := i + 1
		switch {
		case runes[i] == '<':
			for end < len(runes) && runes[end] != '>' {
				end++
			}
		case unicode.IsLetter(runes[i]):
			for end < len(runes) && unicode.IsLetter(runes[end]) {
				end++
			}
			if word := runes[i:end]; !isNumeral(language, strings.ToLower(string(word))) {
				made = of(made, word)
				i = end
				continue
			}
		}
		made = append(made, runes[i:end]...)
		i = end
	}
	return string(made)
}

// numbered reports whether a text has a numeral.
func numbered(language, text string) bool {
	return slices.ContainsFunc(wordsOf(text), func(word string) bool { return isNumeral(language, word) })
}

func shout(language, text string) string {
	return each(language, text, func(to, word []rune) []rune { return mapped(to, word, unicode.ToUpper) })
}

func lower(language, text string) string {
	return each(language, text, func(to, word []rune) []rune { return mapped(to, word, unicode.ToLower) })
}

func mapped(to, word []rune, by func(rune) rune) []rune {
	for _, r := range word {
		to = append(to, by(r))
	}
	return to
}

// leastSpoiled is the shortest word that may miss a letter.
const leastSpoiled = 5

// dropLetters takes a letter from inside so many words, if there are so many
// that are long enough.
func dropLetters(s *stream.Stream, language, text string, count int64) string {
	words := int64(0)
	each(language, text, func(to, word []rune) []rune {
		if len(word) >= leastSpoiled {
			words++
		}
		return to
	})
	chosen := map[int64]int64{} // word to letter
	for range count {
		if words > 0 {
			chosen[s.N(words)] = s.N(1 << 32)
		}
	}
	at := int64(-1)
	return each(language, text, func(to, word []rune) []rune {
		if len(word) < leastSpoiled {
			return append(to, word...)
		}
		at++
		letter, ok := chosen[at]
		if !ok {
			return append(to, word...)
		}
		i := 1 + letter%int64(len(word)-2)
		return append(append(to, word[:i]...), word[i+1:]...)
	})
}
