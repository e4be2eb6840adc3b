package edge_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/edge"
)

// TestInputSchemasThatAreNotOfObjects: the SDK, which would panic at them, gets
// to know a tool only when a message needs it to.
func TestInputSchemasThatAreNotOfObjects(t *testing.T) {
	t.Parallel()
	config := edge.Config{Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a"}}}
	for schema, accepted := range map[string]bool{
		`{"type":"object"}`: true, `{"type":["object"]}`: false, `{"type":"string"}`: false, `{}`: false, `null`: false, `[]`: false,
	} {
		c := shop()
		c.Operations = c.Operations[:1]
		name := c.Operations[0].Tool
		c.Schemas = fstest.MapFS{"schemas/" + name + ".json": &fstest.MapFile{
			Data: fmt.Appendf(nil, `{"name":%q,"inputSchema":%s}`, name, schema),
		}}
		_, err := edge.New(config, c, edge.Options{})
		if accepted && err != nil || !accepted && (err == nil || !strings.Contains(err.Error(), "its inputSchema is not of an object")) {
			t.Errorf("%s: got %v", schema, err)
		}
	}
}
