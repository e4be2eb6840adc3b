package tool_test

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// bodyOf decodes an argument {"body": …} as generated inputs do.
func bodyOf(t *testing.T, raw string) *tool.Body[map[string]any] {
	t.Helper()
	var in struct {
		Body tool.Body[map[string]any] `json:"body"`
	}
	if err := json.Unmarshal([]byte(raw), &in); err != nil {
		t.Fatal(err)
	}
	return &in.Body
}

// wire returns the content type and body of a POST of the payload.
func wire(t *testing.T, p tool.Payload) (mediaType, body string, err error) {
	t.Helper()
	r := tool.NewRequest(http.MethodPost, base, "/x", "")
	r.Body(p)
	request, err := r.Build()
	if err != nil {
		return "", "", err
	}
	if request.GetBody != nil {
		t.Error("the body can be rewound")
	}
	if request.Body == nil {
		return request.Header.Get("Content-Type"), "", nil
	}
	data, err := io.ReadAll(request.Body)
	if err != nil {
		t.Fatal(err)
	}
	if request.ContentLength != int64(len(data)) {
		t.Errorf("content length %d of %d bytes", request.ContentLength, len(data))
	}
	return request.Header.Get("Content-Type"), string(data), nil
}

// TestJSONBody sends the argument's own bytes under the document's media type
// (faults I27, I31).
//
// clause: E-52
func TestJSONBody(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"body":"Test"}`, `{"b":null,"a":9007199254740993,"c":0.10,"d":1e21,"e":[],"f":{}}`,
		`[1,2]`, `"text"`, `null`, `{ "a" : "\u00e9<&>" }`, `0`,
	} {
		b := bodyOf(t, `{"body":`+body+`}`)
		mediaType, got, err := wire(t, b.JSON("application/merge-patch+json"))
		if err != nil || got != body || mediaType != "application/merge-patch+json" {
			t.Errorf("%s: got %q %q, %v", body, mediaType, got, err)
		}
	}
	none := bodyOf(t, `{}`)
	if none.Given() {
		t.Error("an absent body is given")
	}
	for name, p := range map[string]tool.Payload{
		"json": none.JSON("application/json"), "text": none.Text("text/plain"), "form": none.Form("a/b"),
		"binary": none.Binary("a/b"), "multipart": none.Multipart("a/b"),
	} {
		if mediaType, got, err := wire(t, p); err != nil || mediaType != "" || got != "" {
			t.Errorf("absent %s body: got %q %q, %v", name, mediaType, got, err)
		}
	}
}

func TestBodyValue(t *testing.T) {
	t.Parallel()
	b := bodyOf(t, `{"body":{"a":"b"}}`)
	v, err := b.Value()
	if diff := cmp.Diff(map[string]any{"a": "b"}, v); diff != "" || err != nil {
		t.Errorf("value %v, %v", v, err)
	}
	if !b.Given() || string(b.Raw()) != `{"a":"b"}` {
		t.Errorf("raw %s", b.Raw())
	}
	got, err := json.Marshal(struct{ B, C any }{b, bodyOf(t, `{}`)})
	if err != nil || string(got) != `{"B":{"a":"b"},"C":null}` {
		t.Errorf("marshalled %s, %v", got, err)
	}
	if v, err := bodyOf(t, `{}`).Value(); v != nil || err != nil {
		t.Errorf("absent value %v, %v", v, err)
	}
	if _, err := bodyOf(t, `{"body":[]}`).Value(); err == nil {
		t.Error("an array is read as an object")
	}
}

// TestTextAndBinaryBody covers fault I30: never an empty request in place of
// the content.
//
// clause: E-52
func TestTextAndBinaryBody(t *testing.T) {
	t.Parallel()
	const pixel = `{"media_type":"image/png","base64":"AAH/"}`
	type body = *tool.Body[map[string]any]
	text := func(b body, m string) tool.Payload { return b.Text(m) }
	binary := func(b body, m string) tool.Payload { return b.Binary(m) }
	for _, tt := range []struct {
		encode    func(body, string) tool.Payload
		declared  string
		body      string
		mediaType string // "" refused
		want      string
	}{
		{text, "text/plain; charset=utf-8", `"a\u00e9\n"`, "text/plain; charset=utf-8", "aé\n"},
		{text, "text/plain", `""`, "text/plain", ""},
		{text, "text/plain", `0.10`, "text/plain", "0.10"},
		{text, "application/xml", `"<a/>"`, "application/xml", "<a/>"},
		{binary, "application/octet-stream", pixel, "application/octet-stream", "\x00\x01\xff"},
		{binary, "application/octet-stream", `{"base64":"AAH/"}`, "application/octet-stream", "\x00\x01\xff"},
		{binary, "image/png", pixel, "image/png", "\x00\x01\xff"},
		{binary, "image/*", pixel, "image/png", "\x00\x01\xff"},
		{binary, "*/*", pixel, "image/png", "\x00\x01\xff"},
		{binary, "*/*", `{"base64":""}`, "application/octet-stream", ""},
		{binary, "image/jpeg", pixel, "", ""},
		{binary, "audio/*", pixel, "", ""},
		{binary, "*/*", `{"media_type":"image/png\r\nX: y","base64":""}`, "", ""},
		{binary, "*/*", `{"media_type":"png","base64":""}`, "", ""},
		{binary, "*/*", `{"media_type":"image/png","base64":"AA"}`, "", ""},
		{binary, "*/*", `{"media_type":"image/png","base64":"%%"}`, "", ""},
		{binary, "*/*", `"AAH/"`, "", ""},
	} {
		mediaType, got, err := wire(t, tt.encode(bodyOf(t, `{"body":`+tt.body+`}`), tt.declared))
		var argument *tool.ArgumentError
		switch {
		case tt.mediaType == "" && !errors.As(err, &argument):
			t.Errorf("%s as %s: got %q, %v, want a refusal", tt.body, tt.declared, mediaType, err)
		case tt.mediaType != "" && (err != nil || mediaType != tt.mediaType || got != tt.want):
			t.Errorf("%s as %s: got %q %q, %v", tt.body, tt.declared, mediaType, got, err)
		}
	}
}

// TestForm encodes as the document declares it (fault I29).
//
// clause: E-52
func TestForm(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body      string
		encodings []tool.Encoding
		want      string
	}{
		{`{"b":"x y+z&","a":0.10,"c":true,"d":null}`, nil, "b=x%20y%2Bz%26&a=0.10&c=true"},
		{`{"a":["x","y",null],"b":[],"c":""}`, nil, "a=x&a=y&c="},
		{`{"a":{"b": 1,"c":null}}`, nil, `a={"b":1,"c":null}`},
		{`{"a":[{"b":1}]}`, nil, `a={"b":1}`},
		{`{"a[b]":"ü"}`, nil, "a[b]=ü"},
		{`{"a":["x","y"]}`, []tool.Encoding{{Member: "a", Style: tool.Form}}, "a=x,y"},
		{`{"a":["x","y"]}`, []tool.Encoding{{Member: "a", Style: tool.PipeDelimited}}, "a=x|y"},
		{`{"a":["x"],"b":"y"}`, []tool.Encoding{{Member: "a", ContentType: "application/json"}}, `a=["x"]&b=y`},
		{`{"a":{"b":[1,2],"c":"x"}}`, []tool.Encoding{{Member: "a", Style: tool.DeepObject | tool.Explode}},
			"a[b]=1&a[b]=2&a[c]=x"},
		{`{"a":{"b":1},"c":"/"}`, []tool.Encoding{{Member: "a", Style: tool.Form | tool.Explode},
			{Member: "c", Style: tool.Reserved}}, "b=1&c=/"},
		{`{}`, nil, ""},
	} {
		b := bodyOf(t, `{"body":`+tt.body+`}`)
		mediaType, got, err := wire(t, b.Form("application/x-www-form-urlencoded", tt.encodings...))
		decoded := strings.ReplaceAll(got, "x%20y%2Bz%26", "\x00")
		decoded, _ = url.QueryUnescape(decoded)
		decoded = strings.ReplaceAll(decoded, "\x00", "x%20y%2Bz%26")
		if err != nil || decoded != tt.want || mediaType != "application/x-www-form-urlencoded" {
			t.Errorf("%s: got %q %q, %v, want %q", tt.body, mediaType, got, err, tt.want)
		}
	}
	for _, body := range []string{`[]`, `"x"`, `{"a":{"b":{"c":1}}}`} {
		_, got, err := wire(t, bodyOf(t, `{"body":`+body+`}`).Form("a/b", tool.Encoding{Member: "a", Style: tool.DeepObject}))
		var argument *tool.ArgumentError
		if !errors.As(err, &argument) {
			t.Errorf("%s: got %q, %v, want a refusal", body, got, err)
		}
	}
}

// part is a part of a multipart body as a server reads it.
type part struct{ Name, File, Type, Body string }

func parts(t *testing.T, mediaType, body string) []part {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(mediaType)
	if err != nil || kind != "multipart/form-data" {
		t.Fatalf("content type %q, %v", mediaType, err)
	}
	var list []part
	r := multipart.NewReader(strings.NewReader(body), parameters["boundary"])
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, part{p.FormName(), p.FileName(), p.Header.Get("Content-Type"), string(data)})
	}
}

// clause: E-52
func TestMultipart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body      string
		encodings []tool.Encoding
		want      []part
	}{
		{`{"b":"x\r\n--y","a":0.10,"c":null}`, nil, []part{{"b", "", "", "x\r\n--y"}, {"a", "", "", "0.10"}}},
		{`{"f":{"media_type":"image/png","base64":"AAH/","filename":"ü.png"}}`, nil,
			[]part{{"f", "ü.png", "image/png", "\x00\x01\xff"}}},
		{`{"f":[{"base64":"AA=="},{"media_type":"text/csv","base64":"","filename":"b"}]}`, nil,
			[]part{{"f", "f", "application/octet-stream", "\x00"}, {"f", "b", "text/csv", ""}}},
		{`{"f":{"media_type":"text/csv","base64":""}}`,
			[]tool.Encoding{{Member: "f", ContentType: "application/octet-stream"}}, []part{{"f", "f", "text/csv", ""}}},
		{`{"f":{"media_type":"image/png","base64":""}}`,
			[]tool.Encoding{{Member: "f", ContentType: "image/jpeg, image/png"}}, []part{{"f", "f", "image/png", ""}}},
		{`{"o":{"a": [1, 2]},"l":[{"a":1},"x",null]}`, nil,
			[]part{{"o", "", "application/json", `{"a":[1,2]}`}, {"l", "", "application/json", `{"a":1}`}, {"l", "", "", "x"}}},
		{`{"l":[1,2],"s":"x"}`,
			[]tool.Encoding{{Member: "l", ContentType: "application/json"}, {Member: "s", ContentType: "application/json"}},
			[]part{{"l", "", "application/json", "[1,2]"}, {"s", "", "application/json", `"x"`}}},
		{`{"s":"x"}`, []tool.Encoding{{Member: "s", ContentType: "text/plain; charset=utf-8"}},
			[]part{{"s", "", "text/plain; charset=utf-8", "x"}}},
		{`{"o":{"a":[1,2],"b":"x"}}`, []tool.Encoding{{Member: "o", Style: tool.DeepObject}},
			[]part{{"o[a]", "", "", "1"}, {"o[a]", "", "", "2"}, {"o[b]", "", "", "x"}}},
		{`{}`, nil, nil},
	} {
		b := bodyOf(t, `{"body":`+tt.body+`}`)
		mediaType, got, err := wire(t, b.Multipart("multipart/form-data", tt.encodings...))
		if err != nil {
			t.Errorf("%s: %v", tt.body, err)
			continue
		}
		if diff := cmp.Diff(tt.want, parts(t, mediaType, got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.body, diff)
		}
		if again, same, _ := wire(t, b.Multipart("multipart/form-data", tt.encodings...)); again != mediaType || same != got {
			t.Errorf("%s: written twice, it differs", tt.body)
		}
	}
	for _, body := range []string{
		`[]`, `{"f":{"media_type":"image/png","base64":"?"}}`, `{"f":{"media_type":"x","base64":""}}`,
		`{"f":{"base64":"","filename":"../x"}}`, `{"f":{"base64":"","filename":"a\r\nb"}}`,
		`{"g":{"media_type":"image/png","base64":""}}`, `{"o":{"a":{"b":1}}}`,
	} {
		_, got, err := wire(t, bodyOf(t, `{"body":`+body+`}`).Multipart("multipart/form-data",
			tool.Encoding{Member: "g", ContentType: "image/jpeg"}, tool.Encoding{Member: "o", Style: tool.DeepObject}))
		var argument *tool.ArgumentError
		if !errors.As(err, &argument) {
			t.Errorf("%s: got %q, %v, want a refusal", body, got, err)
		}
	}
}

// TestPartNames cannot be left by quotes or line ends.
func TestPartNames(t *testing.T) {
	t.Parallel()
	b := bodyOf(t, `{"body":{"a\"; filename=\"x\r\nX-Evil: 1":"v"}}`)
	_, got, err := wire(t, b.Multipart("multipart/form-data"))
	if err != nil || !strings.Contains(got, `name="a%22; filename=%22x%0D%0AX-Evil: 1"`) {
		t.Errorf("got %q, %v", got, err)
	}
}
