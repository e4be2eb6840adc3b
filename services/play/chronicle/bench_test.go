package chronicle_test

import (
	"fmt"
	"testing"
)

// BenchmarkSearch searches short and long sessions, among others of their kind,
// for what is common, rare and not there.
func BenchmarkSearch(b *testing.B) {
	s := newStage(b)
	for n, size := range []int{100, 10_000} {
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
				events[i].narration += " abcuvw uvwxyz abcxyz yzabc bcuv wxyzabc "
			}
		}
		s.happen(id, events...)
	}
	s.exec("VACUUM ANALYZE")
	for name, query := range map[string]string{
		"1 common": "a", "1 rare": "q", "1 miss": "v",
		"2 common": "ka", "2 rare": "qx", "2 miss": "vv",
		"20 common": words[0] + " " + words[1], "20 rare": "sleeps under the sto", "20 miss": "vermillion castles x",
		"20 of 5%": "twentieth dzwon of t", "20 of 1%": "wyvern of the hundre", "2 of 1%": "yv", "grams only": "abcuvwxyzabc uvwxyz",
	} {
		for n, size := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				found := 0
				for b.Loop() {
					f, err := s.Search(b.Context(), identifier(3, n), query)
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
