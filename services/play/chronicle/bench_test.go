package chronicle_test

import (
	"fmt"
	"strings"
	"testing"
)

// sizes are a short session and a long one.
var sizes = []int{100, 10_000}

// sessions makes a session of each size, among the others.
func sessions(b *testing.B) *stage {
	b.Helper()
	s := newStage(b)
	for n, size := range sizes {
		id := s.harbor(n)
		events := turns(uint64(n), size)
		for i := range events { // these words are in no other
			if i == size/3 {
				events[i].narration += " qxelion sleeps under the stone bridge "
			}
			if i%20 == 7 {
				events[i].narration += " twentieth dzwon of them all "
			}
			if i%100 == 7 {
				events[i].narration += " wyvern of the hundred storms "
			}
			if i%2 == 1 { // the grams of a text that is not there
				events[i].narration += " " + strings.Join(trigrams(nowhere), " ") + " "
			}
		}
		s.happen(id, events...)
		s.exec("UPDATE play.assignment SET memory = $2 WHERE id = $1", id, strings.Repeat("Znaleziono wyrwaną stronę dziennika. ", 200))
		for v := size - 30; v < size; v++ {
			for position := 1; position <= 3; position++ {
				s.propose(id, effect{version: v, position: position, status: "pending", description: "It is cold."})
			}
		}
		// another, so that none is alone in the index
		s.happen(s.harbor(n+2), turns(uint64(n+2), 1000)...)
	}
	s.exec("VACUUM ANALYZE")
	return s
}

// nowhere is a text that no event has, but the grams of which many have.
const nowhere = "abcvdewfgxhiyjkzlmno"

func trigrams(s string) []string {
	var out []string
	for i := range len(s) - 2 {
		out = append(out, s[i:i+3])
	}
	return out
}

// BenchmarkSearch searches for what is common, rare and not there.
func BenchmarkSearch(b *testing.B) {
	s := sessions(b)
	for _, c := range []struct{ name, query string }{
		{"1 common", "a"}, {"1 rare", "q"}, {"1 miss", "7"},
		{"2 common", "ka"}, {"2 rare", "qx"}, {"2 miss", "77"},
		{"20 common", words[0] + " " + words[1]}, {"20 rare", "sleeps under the sto"}, {"20 miss", "vermillion castles x"},
		{"20 of 5%", "twentieth dzwon of t"}, {"20 of 1%", "wyvern of the hundre"}, {"2 of 1%", "yv"}, {"20 grams only", nowhere},
	} {
		for n, size := range sizes {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				found := 0
				for b.Loop() {
					f, err := s.Search(b.Context(), identifier(3, n), c.query)
					if err != nil {
						b.Fatal(err)
					}
					found = len(f.Journal)
				}
				b.ReportMetric(float64(found), "found")
			})
		}
	}
}

// BenchmarkContext and BenchmarkJournal read the ends of sessions.
func BenchmarkContext(b *testing.B) {
	s := sessions(b)
	for n, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Context(b.Context(), identifier(3, n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkJournal(b *testing.B) {
	s := sessions(b)
	for n, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.Journal(b.Context(), identifier(3, n), size-20, 20); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
