package fold_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/fold"
)

// BenchmarkFold is about a turn of the usual size.
func BenchmarkFold(b *testing.B) {
	for name, s := range map[string]string{
		"en": strings.Repeat("You find a torn page from the keeper's journal. ", 40),
		"pl": strings.Repeat("Znajdujecie wyrwaną stronę dziennika latarnika. ", 40),
	} {
		b.Run(name+"/text", func(b *testing.B) {
			for b.Loop() {
				fold.Text(s)
			}
		})
		b.Run(name+"/grams", func(b *testing.B) {
			folded := fold.Text(s)
			for b.Loop() {
				fold.Grams(uuid.UUID{}, folded)
			}
		})
		b.Run(name+"/excerpt", func(b *testing.B) {
			for b.Loop() {
				fold.Excerpt(s, "latarnika", 400)
			}
		})
	}
}

// BenchmarkExcerpts is about a long memory, at whose end every character is one
// that is looked for.
func BenchmarkExcerpts(b *testing.B) {
	s := strings.Repeat("ż ", 14000) + strings.Repeat("x", 2000)
	for b.Loop() {
		fold.Excerpts(s, "x", 400, 3)
	}
}
