package clients

import (
	"slices"
	"strings"
	"unicode"
)

// Failure says that no Go code could be made of a document, or that it does
// not compile. Taking the bodies of its operations raw (body: raw in the
// manifest) leaves out types that are at fault.
type Failure struct {
	// Operations are the keys of those that use a type at fault, sorted; all
	// of the document's if no type is to blame.
	Operations []string
	Err        error
}

// Error is the cause; it does not repeat the operations.
func (f *Failure) Error() string { return "no client code: " + f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// blame makes the failure of those operations that reach one of the names.
// Reach adds all the types that a type mentions to a set.
func (in Input) blame(err error, names map[string]bool, reach func(name string, set map[string]bool)) *Failure {
	f := &Failure{Err: err}
	var all []string
	for _, op := range in.Operations {
		all = append(all, op.Key)
		used := map[string]bool{op.GoName: true, op.GoName + "Params": true, "New" + op.GoName + "Request": true}
		if op.Body != nil {
			reach(op.Body.GoType, used)
		}
		for _, reply := range op.Replies {
			reach(reply.GoType, used)
		}
		for name := range used {
			if names[name] {
				f.Operations = append(f.Operations, op.Key)
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

// failure names the operations that use a type the error mentions.
func (d *document) failure(err error) *Failure {
	names := map[string]bool{}
	for _, word := range strings.FieldsFunc(err.Error(), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		names[word] = true
	}
	return d.in.blame(err, names, d.models.reach)
}
