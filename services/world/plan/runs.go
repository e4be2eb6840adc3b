package plan

import "strconv"

// Count is how often a state occurs.
type Count struct {
	State string
	Count int
}

// Layer is one y of a box.
type Layer struct {
	Y    int32
	Rows []string
}

// runs writes a row for a model to read: its words one after another, and a word
// that follows itself once, with how often: "0*16 3 0*2".
type runs struct {
	text []byte
	word string
	n    int
}

func (r *runs) add(word string) {
	if r.n > 0 && word == r.word {
		r.n++
		return
	}
	r.flush()
	r.word, r.n = word, 1
}

func (r *runs) flush() {
	if r.n == 0 {
		return
	}
	if len(r.text) > 0 {
		r.text = append(r.text, ' ')
	}
	r.text = append(r.text, r.word...)
	if r.n > 1 {
		r.text = append(r.text, '*')
		r.text = strconv.AppendInt(r.text, int64(r.n), 10)
	}
	r.n = 0
}

// row ends the row and begins the next.
func (r *runs) row() string {
	r.flush()
	text := string(r.text)
	r.text = r.text[:0]
	return text
}
