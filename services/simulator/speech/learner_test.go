package speech_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// learner reads a field by its words alone: each word speaks for or against
// each class with the logarithm of its odds in the texts learned from.
type learner struct {
	classes []string
	prior   []float64
	weights map[string][]float64 // by class
}

// example is what a learner gets of a text, with the class of one of its fields.
type example struct {
	words []string
	class string
}

// features are the different words of a text, and its pairs of neighbouring
// words where pairs are wanted.
func features(text string, pairs bool) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if pairs {
		for i := range len(words) - 1 {
			words = append(words, words[i]+" "+words[i+1])
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

const smoothing = 0.5

func learn(examples []example) *learner {
	l := &learner{weights: map[string][]float64{}}
	for _, e := range examples {
		if !slices.Contains(l.classes, e.class) {
			l.classes = append(l.classes, e.class)
		}
	}
	slices.Sort(l.classes)
	of := make([]float64, len(l.classes))
	counts := map[string][]float64{}
	for _, e := range examples {
		c := slices.Index(l.classes, e.class)
		of[c]++
		for _, w := range e.words {
			if counts[w] == nil {
				counts[w] = make([]float64, len(l.classes))
			}
			counts[w][c]++
		}
	}
	all := float64(len(examples))
	for _, n := range of {
		l.prior = append(l.prior, math.Log(n/(all-n)))
	}
	for _, w := range slices.Sorted(maps.Keys(counts)) {
		by := counts[w]
		sum := 0.0
		for _, n := range by {
			sum += n
		}
		weights := make([]float64, len(by))
		for c, n := range by {
			inside, outside := (n+smoothing)/(of[c]+2*smoothing), (sum-n+smoothing)/(all-of[c]+2*smoothing)
			weights[c] = math.Log(inside / (1 - inside) * (1 - outside) / outside)
			l.prior[c] += math.Log((1 - inside) / (1 - outside)) // for the texts that it is not in
		}
		l.weights[w] = weights
	}
	return l
}

func (l *learner) read(words []string) string {
	scores := slices.Clone(l.prior)
	for _, w := range words {
		for c, weight := range l.weights[w] {
			scores[c] += weight
		}
	}
	best := 0
	for c := range scores {
		if scores[c] > scores[best] {
			best = c
		}
	}
	return l.classes[best]
}

// score is the mean of the F1 of the classes that the examples have.
func (l *learner) score(examples []example) float64 {
	right, said, is := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, e := range examples {
		got := l.read(e.words)
		said[got]++
		is[e.class]++
		if got == e.class {
			right[got]++
		}
	}
	var classes []string
	for c := range is {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	sum := 0.0
	for _, c := range classes {
		sum += 2 * right[c] / (said[c] + is[c])
	}
	return sum / float64(len(classes))
}
