package clients

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestHeaderNames sets headers of every name that there may be, and of names
// that differ only by characters that Go does not have.
func TestHeaderNames(t *testing.T) {
	t.Parallel()
	impossible := []string{"A 2", "Çedille", "'", "`"} // no header's name, or nothing of Go's
	names := append([]string{"X-A", "X_A", "x.a", "1-A", "+A", "-", "$", "$1", "a!", "Headers", "type"}, impossible...)
	var headers []string
	for _, name := range names {
		headers = append(headers, fmt.Sprintf("%q: {required: true, schema: {type: string}}", name))
	}
	in := load(t, `
openapi: 3.1.0
paths:
  /a: {get: {operationId: get_a, responses: {200: {description: ok, headers: {`+strings.Join(headers, ", ")+`}}}}}
`)
	in.Server = true
	got, err := Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(in, got); err != nil {
		t.Errorf("%v\n%s", err, got)
	}
	for _, name := range names {
		want := 1
		if slices.Contains(impossible, name) {
			want = 0
		}
		if set := strings.Count(string(got), fmt.Sprintf("w.Header().Set(%q, ", name)); set != want {
			t.Errorf("the header %s is set %d times, want %d", name, set, want)
		}
	}
}

// TestHeadersAreForServers keeps them out of clients.
func TestHeadersAreForServers(t *testing.T) {
	t.Parallel()
	in := load(t, `
openapi: 3.1.0
paths:
  /a: {get: {operationId: get_a, responses: {200: {description: ok, headers: {ETag: {schema: {type: string}}}}}}}
`)
	got, err := Generate(in)
	if err != nil || strings.Contains(string(got), "ETag") {
		t.Errorf("error %v, client:\n%s", err, got)
	}
}
