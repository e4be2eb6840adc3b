package resolve

import (
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// clause: E-15
func TestForm(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ mediaType, schema, want string }{
		{"image/jpeg", `{"type":"string","format":"binary"}`, "binary"},
		{"image/jpeg", `{"type":"string"}`, "binary"},
		{"image/jpeg", `{"type":"string","format":"byte"}`, "text"},
		{"image/jpeg", `{"type":"string","contentEncoding":"base64"}`, "text"},
		{"application/atom+xml", `{"type":"string"}`, "text"},
		{"application/json", `{"type":"string","format":"byte"}`, "json"},
	} {
		schema, err := spec.Parse("test.json", []byte(tc.schema))
		if err != nil {
			t.Fatal(err)
		}
		if got := form(normalise.Content{MediaType: tc.mediaType, Schema: schema}); got != tc.want {
			t.Errorf("%s of %s: form %q, want %q", tc.mediaType, tc.schema, got, tc.want)
		}
	}
}
