package edge

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// clause: E-13
func TestNarrowing(t *testing.T) {
	t.Parallel()
	const schema = `{"properties":{"parameters":{"required":["q"],"properties":{
		"q":{}, "limit":{}, "page-size":{}, "If-Match":{}, "x-request-id":{}, "X-Trace":{}
	}}}}`
	if diff := cmp.Diff([]string{"limit", "page-size"}, narrowing(json.RawMessage(schema))); diff != "" {
		t.Errorf("parameters that narrow (-want +got):\n%s", diff)
	}
}
