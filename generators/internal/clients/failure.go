package clients

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Failure says that no Go code could be made of some operations, or that it
// does not compile. Taking their bodies raw (body: raw in the manifest) leaves
// out the types that are at fault.
type Failure struct {
	Operations []string // Go names, sorted; all of the document's if no type is to blame
	Err        error
}

// Error names the operations.
func (f *Failure) Error() string {
	return fmt.Sprintf("no client code for %s: %v", strings.Join(f.Operations, ", "), f.Err)
}

// Unwrap returns what went wrong.
func (f *Failure) Unwrap() error { return f.Err }

// failure names the operations that use a type the error mentions.
func (d *document) failure(err error) *Failure {
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(err.Error(), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		words[word] = true
	}
	f := &Failure{Err: err}
	var all []string
	for _, op := range d.in.Operations {
		all = append(all, op.GoName)
		reached := map[string]bool{op.GoName: true, op.GoName + "Params": true}
		for _, model := range d.roots[op.GoName] {
			d.models.reach(model, reached)
		}
		for name := range reached {
			if words[name] {
				f.Operations = append(f.Operations, op.GoName)
				break
			}
		}
	}
	if len(f.Operations) == 0 {
		f.Operations = all
	}
	slices.Sort(f.Operations)
	return f
}
