package edge

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPicture: a picture stands beside the rest of a result, by whichever way it
// is written, and what is none stays in it.
func TestPicture(t *testing.T) {
	t.Parallel()
	p := Picture{Data: "imageBase64", MediaType: "mimeType"}
	for result, want := range map[string]struct{ rest, mediaType, data string }{
		`{"captureId":"a","imageBase64":"iVBO","mimeType":"image/png","eye":{"y":1.50}}`: {
			`{"captureId":"a","eye":{"y":1.50}}`, "image/png", "\x89PN",
		},
		`{"captureId":"a"}`:                          {`{"captureId":"a"}`, "", ""},
		`{"imageBase64":"iVBO"}`:                     {`{"imageBase64":"iVBO"}`, "", ""},
		`{"imageBase64":"%","mimeType":"image/png"}`: {`{"imageBase64":"%","mimeType":"image/png"}`, "", ""},
		`{"imageBase64":7,"mimeType":"image/png"}`:   {`{"imageBase64":7,"mimeType":"image/png"}`, "", ""},
		`{"imageBase64":"","mimeType":"image/png"}`:  {`{"imageBase64":"","mimeType":"image/png"}`, "", ""},
		`[1]`: {`[1]`, "", ""},
	} {
		rest, picture := p.lift([]byte(result))
		got := struct{ rest, mediaType, data string }{rest: string(rest)}
		if picture != nil {
			got.mediaType, got.data = picture.MediaType, string(picture.Body)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", result, got, want)
		}
	}
	if rest, picture := (Picture{}).lift([]byte(`{"":"x"}`)); picture != nil || string(rest) != `{"":"x"}` {
		t.Error("a tool without pictures lost something")
	}

	rest, picture := p.lift([]byte(`{"captureId":"a","imageBase64":"iVBO","mimeType":"image/png"}`))
	c := content{text: rest, structured: rest, image: picture}
	var own mcp.CallToolResult
	if err := json.Unmarshal(append(c.append([]byte{'{'}), '}'), &own); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(&own)
	b, _ := json.Marshal(c.result())
	if diff := cmp.Diff(string(b), string(a)); diff != "" {
		t.Errorf("the SDK and we write another result:\n%s", diff)
	}
	if len(own.Content) != 2 {
		t.Errorf("there are %d parts", len(own.Content))
	}
}
