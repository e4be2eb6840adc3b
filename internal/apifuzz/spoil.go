package apifuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// spoil turns a request that the document allows into one that it does not; the
// request says in what. It is left as it is where nothing was found.
func (f *fuzzer) spoil(r *request) {
	for range 20 {
		c := r.clone()
		ways := []func(*request) string{f.spoilParameter, f.spoilParameter, f.dropHeader}
		if r.body != nil {
			ways = append(ways, f.spoilBody, f.spoilBody, f.spoilBody, f.spoilBody, f.spoilRaw, f.spoilMedia)
		}
		if why := ways[f.IntN(len(ways))](c); why != "" {
			c.invalid = why
			*r = *c
			return
		}
	}
}

// garbage is what no parameter of an API allows that is a number, an
// identifier or a name.
var garbage = []string{
	" ", "\x00", "a b", "../..", "%2e%2e", "é", "🙂", "-1", "0", "00", "1.5", "1e3", "NaN", "true", "null", "{}", "[]",
	"9223372036854775808", "'; DROP TABLE x; --", "AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA", "00000000-0000-0000-0000-00000000000",
	"\u202e", "<script>", "${x}", "\t", strings.Repeat("a", 5000),
}

// spoilParameter gives a parameter a value that it does not allow.
func (f *fuzzer) spoilParameter(r *request) string {
	if len(r.op.parameters) == 0 {
		return ""
	}
	p := r.op.parameters[f.IntN(len(r.op.parameters))]
	value := garbage[f.IntN(len(garbage))]
	if f.fitsWord(p, value) {
		return ""
	}
	r.target = ""
	switch p.in {
	case "path":
		if value == "../.." {
			return ""
		}
		r.path[p.name] = value
	case "query":
		r.query[p.name] = []string{value}
		if value == "" || !p.required && value == " " {
			return ""
		}
	default:
		if strings.ContainsAny(value, "\x00") || strings.TrimSpace(value) != value {
			return "" // no client sends it
		}
		r.header[p.name] = value
	}
	return fmt.Sprintf("%s is %q", p.name, short([]byte(value), 40))
}

// fitsWord tells whether a parameter may have a value, read as a text or as
// the number that it spells.
func (f *fuzzer) fitsWord(p parameter, value string) bool {
	if f.doc.fits(p.schema, value) == nil {
		return true
	}
	_, node := f.doc.object(p.schema)
	if node["type"] != "integer" && node["type"] != "number" {
		return false
	}
	var n any
	return json.Unmarshal([]byte(value), &n) == nil && f.doc.fits(p.schema, n) == nil
}

// dropHeader leaves a header away that must be there.
func (f *fuzzer) dropHeader(r *request) string {
	var required []string
	for _, p := range r.op.parameters {
		if p.in == "header" && p.required {
			required = append(required, p.name)
		}
	}
	if len(required) == 0 {
		return ""
	}
	name := required[f.IntN(len(required))]
	delete(r.header, name)
	return name + " is missing"
}

// spoilBody changes one value of the body, at any depth.
func (f *fuzzer) spoilBody(r *request) string {
	var places []func(any) // each sets one value
	var values []any
	var walk func(value any, set func(any))
	walk = func(value any, set func(any)) {
		places, values = append(places, set), append(values, value)
		switch v := value.(type) {
		case map[string]any:
			for _, name := range sorted(v) {
				walk(v[name], func(other any) { v[name] = other })
			}
		case []any:
			for i := range v {
				walk(v[i], func(other any) { v[i] = other })
			}
		}
	}
	walk(r.body, func(other any) { r.body = other })
	n := f.IntN(len(places))
	old := short(fmt.Append(nil, values[n]), 60)
	changed := f.changed(values[n])
	places[n](changed)
	if f.doc.fits(r.op.body.schema, r.body) == nil || r.body == nil {
		return ""
	}
	r.misfit = true
	return fmt.Sprintf("of the body %q became %q", old, short(fmt.Append(nil, changed), 60))
}

// changed is another value in place of one.
func (f *fuzzer) changed(value any) any {
	wrong := []any{
		nil, true, -1.0, 0.0, 1.5, 1e300, "", "\u0000", "x\ny", strings.Repeat("é", 70_000/2), []any{}, map[string]any{},
	}
	switch v := value.(type) {
	case map[string]any:
		c := deep(v).(map[string]any)
		switch names := sorted(c); f.IntN(3) {
		case 0:
			c["unheard_of"] = 1.0
			return c
		case 1:
			if len(names) > 0 {
				delete(c, names[f.IntN(len(names))])
				return c
			}
		default:
			if len(names) > 0 {
				name := names[f.IntN(len(names))]
				c[strings.ToUpper(name)] = c[name]
				delete(c, name)
				return c
			}
		}
	case []any:
		if len(v) > 0 && f.IntN(2) == 0 {
			return slices.Repeat(v, 101)
		}
	case string:
		wrong = append(wrong, v+"\u0000", v+"\u001b", v+strings.Repeat("x", 20_000), "<"+v+">", strings.ToUpper(v)+" ")
	case float64:
		wrong = append(wrong, v+0.5, -v-1, v*1e9, plain(v))
	}
	return wrong[f.IntN(len(wrong))]
}

// spoilRaw makes the bytes of the body no JSON text, or one that some read
// otherwise than others.
func (f *fuzzer) spoilRaw(r *request) string {
	whole := r.payload()
	switch f.IntN(8) {
	case 0:
		r.raw = whole[:f.IntN(len(whole))]
		return "the body is cut off"
	case 1:
		r.raw = append(whole, "{}"...)
		return "the body goes on"
	case 2:
		if bytes.ContainsRune(whole, '"') { // an empty object has no text to spoil
			r.raw = bytes.Replace(whole, []byte(`"`), []byte("\"\xff"), 1)
			return "the body is no UTF-8"
		}
	case 3:
		r.raw = []byte(strings.Repeat("[", 20_000))
		return "the body is deep"
	case 4:
		r.raw = append(bytes.Repeat([]byte(" "), 1<<20), whole...)
		return "the body is large"
	case 5:
		if body, ok := r.body.(map[string]any); ok && len(body) > 0 {
			name := sorted(body)[0]
			r.raw = append([]byte(`{"`+name+`":null,`), whole[1:]...)
			return "a member is there twice"
		}
	case 6:
		r.raw = append([]byte("\ufeff"), whole...)
		return "the body begins with a mark"
	case 7:
		r.raw = []byte(`{"a":"\ud800"}`)
		return "the body has half a character"
	}
	return ""
}

// spoilMedia sends the body as something else.
func (f *fuzzer) spoilMedia(r *request) string {
	types := []string{"text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data", "json"}
	r.media = types[f.IntN(len(types))]
	return "the body is sent as " + r.media
}
