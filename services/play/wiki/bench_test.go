package wiki_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkSearch searches a wiki of 1,000 pages of 4,000 characters: for what
// stands on many, on few and on none of them.
func BenchmarkSearch(b *testing.B) {
	f := newFixture(b)
	random := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 3000)
	for i := range words {
		word := make([]byte, 3+random.IntN(7))
		for j := range word {
			word[j] = byte('a' + random.IntN(26))
		}
		words[i] = string(word)
	}
	for i := range 1000 {
		var text strings.Builder
		for text.Len() < 4000 { // the first words more often than the last
			text.WriteString(words[int(float64(len(words))*random.Float64()*random.Float64())] + " ")
		}
		f.write(fmt.Sprintf("p%d", i), "Page", text.String())
	}
	f.exec("ANALYZE")
	for name, query := range map[string]string{
		"one character": "a", "many": words[0], "few": words[2990], "none": "zzzzqqqqxxxxjjjjkkkk",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := f.Search(f.ctx(), ada, query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
