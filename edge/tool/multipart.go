package tool

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// encodeMultipart writes a JSON object as multipart/form-data (RFC 7578) and
// returns its boundary, a digest of the object that its parts cannot foresee.
func encodeMultipart(raw json.RawMessage, encodings []Encoding) ([]byte, string, error) {
	all, err := members(raw)
	if err != nil {
		return nil, "", &ArgumentError{Where: "body", Message: errObject.Error()}
	}
	digest := sha256.Sum256(raw)
	w := parts{boundary: hex.EncodeToString(digest[:20])}
	for _, m := range all {
		e := encodingOf(m.name, encodings)
		if err := w.member("body."+m.name, m, e); err != nil {
			return nil, "", err
		}
	}
	w.WriteString("--" + w.boundary + "--\r\n")
	return w.Bytes(), w.boundary, nil
}

// parts collects the parts of a multipart body.
type parts struct {
	bytes.Buffer
	boundary string
}

// member writes a member: each item of an array as a part of its own, unless
// the whole is to be JSON.
func (w *parts) member(where string, m member, e Encoding) error {
	switch c := first(m.raw); {
	case c == 'n':
		return nil
	case c == '[' && !isJSON(e.ContentType):
		elements, err := items(m.raw)
		if err != nil {
			return &ArgumentError{Where: where, Message: err.Error()}
		}
		for _, element := range elements {
			if first(element) == 'n' {
				continue
			}
			if err := w.value(where, m.name, element, e); err != nil {
				return err
			}
		}
		return nil
	case c == '{' && e.Style.kind() == DeepObject:
		return w.deep(where, m, e)
	default:
		return w.value(where, m.name, m.raw, e)
	}
}

// deep writes the members of an object as parts name[member].
func (w *parts) deep(where string, m member, e Encoding) error {
	all, err := members(m.raw)
	if err != nil {
		return &ArgumentError{Where: where, Message: err.Error()}
	}
	e.Style = 0
	for _, inner := range all {
		if first(inner.raw) == '{' || nested(inner.raw) {
			return &ArgumentError{Where: where, Message: errNested.Error()}
		}
		name := m.name + "[" + inner.name + "]"
		if err := w.member(where, member{name, inner.raw}, e); err != nil {
			return err
		}
	}
	return nil
}

// value writes one part: a file, JSON text or plain text.
func (w *parts) value(where, name string, raw json.RawMessage, e Encoding) error {
	mediaType, _, _ := strings.Cut(e.ContentType, ",")
	if isFile(raw) && !isJSON(e.ContentType) {
		f, err := readFile(where, raw)
		if err != nil {
			return err
		}
		if e.ContentType == "" || essence(e.ContentType) == octets {
			e.ContentType = "*/*"
		}
		if mediaType, err = f.within(where, e.ContentType); err != nil {
			return err
		}
		if f.name == "" {
			f.name = name
		}
		w.part(name, f.name, mediaType, f.data)
		return nil
	}
	text, err := partText(raw, e)
	if err != nil {
		return &ArgumentError{Where: where, Message: err.Error()}
	}
	if strings.Contains(mediaType, "*") {
		mediaType = ""
	}
	if mediaType == "" && first(raw) == '{' {
		mediaType = "application/json"
	}
	w.part(name, "", mediaType, []byte(text))
	return nil
}

func partText(raw json.RawMessage, e Encoding) (string, error) {
	if isJSON(e.ContentType) {
		return compact(raw)
	}
	text, _, err := scalar(raw)
	return text, err
}

func (w *parts) part(name, filename, mediaType string, data []byte) {
	w.WriteString("--" + w.boundary + "\r\nContent-Disposition: form-data; name=\"" + quoted.Replace(name) + `"`)
	if filename != "" {
		w.WriteString(`; filename="` + quoted.Replace(filename) + `"`)
	}
	if mediaType != "" {
		w.WriteString("\r\nContent-Type: " + mediaType)
	}
	w.WriteString("\r\n\r\n")
	w.Write(data)
	w.WriteString("\r\n")
}

// quoted escapes the name of a part as the WHATWG's form encoding does.
var quoted = strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22")
