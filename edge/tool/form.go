package tool

import "encoding/json"

// encodingOf finds the encoding of a member, or the default one.
func encodingOf(name string, encodings []Encoding) Encoding {
	for _, e := range encodings {
		if e.Member == name {
			return e
		}
	}
	return Encoding{Member: name}
}

// encodeForm writes a JSON object as application/x-www-form-urlencoded.
func encodeForm(raw json.RawMessage, encodings []Encoding) ([]byte, error) {
	all, err := members(raw)
	if err != nil {
		return nil, &ArgumentError{Where: "body", Message: errObject.Error()}
	}
	form := make([]byte, 0, len(raw))
	for _, m := range all {
		style := formStyle(m.raw, encodingOf(m.name, encodings))
		v, err := valueOf(style, m.raw)
		if err == nil {
			form, err = appendQuery(form, m.name, style, v)
		}
		if err != nil {
			return nil, &ArgumentError{Where: "body." + m.name, Message: err.Error()}
		}
	}
	return form, nil
}

// formStyle is how a member of a form is written: as its encoding says, else
// objects as JSON text and everything else under its name, repeated for the
// items of an array.
func formStyle(raw json.RawMessage, e Encoding) Style {
	switch {
	case isJSON(e.ContentType):
		return JSON
	case e.Style.kind() != 0:
		return e.Style
	case first(raw) == '{':
		return JSON
	default:
		return Form | Explode | e.Style
	}
}
