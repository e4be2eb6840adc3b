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
// word is a run of letters.
func each(language, text string, of func(word []rune) []rune) string {
	runes := []rune(text)
	var b strings.Builder
	for i := 0; i < len(runes); {
		end := i
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
				b.WriteString(string(of(word)))
				i = end
				continue
			}
		default:
			end++
		}
		b.WriteString(string(runes[i:end]))
		i = end
	}
	return b.String()
}

// numbered reports whether a text has a numeral.
func numbered(language, text string) bool {
	return slices.ContainsFunc(wordsOf(text), func(word string) bool { return isNumeral(language, word) })
}

func shout(language, text string) string {
	return each(language, text, func(word []rune) []rune { return []rune(strings.ToUpper(string(word))) })
}

func lower(language, text string) string {
	return each(language, text, func(word []rune) []rune { return []rune(strings.ToLower(string(word))) })
}

// leastSpoiled is the shortest word that may miss a letter.
const leastSpoiled = 5

// dropLetters takes a letter from inside so many words, if there are so many
// that are long enough.
func dropLetters(s *stream.Stream, language, text string, count int64) string {
	words := int64(0)
	each(language, text, func(word []rune) []rune {
		if len(word) >= leastSpoiled {
			words++
		}
		return word
	})
	chosen := map[int64]int64{} // word to letter
	for range count {
		if words > 0 {
			chosen[s.N(words)] = s.N(1 << 32)
		}
	}
	at := int64(-1)
	return each(language, text, func(word []rune) []rune {
		if len(word) < leastSpoiled {
			return word
		}
		at++
		letter, ok := chosen[at]
		if !ok {
			return word
		}
		i := 1 + letter%int64(len(word)-2)
		return append(append([]rune{}, word[:i]...), word[i+1:]...)
	})
}
