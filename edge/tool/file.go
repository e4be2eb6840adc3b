package tool

import (
	"encoding/base64"
	"encoding/json"
	"mime"
	"strings"
)

// file is an argument {media_type, base64, filename?}.
type file struct {
	mediaType string
	name      string
	data      []byte
}

// isFile reports whether a JSON value has the shape of a file.
func isFile(raw json.RawMessage) bool {
	if first(raw) != '{' {
		return false
	}
	all, err := members(raw)
	if err != nil {
		return false
	}
	content := false
	for _, m := range all {
		switch m.name {
		case "base64":
			content = first(m.raw) == '"'
		case "media_type", "filename":
		default:
			return false
		}
	}
	return content
}

// readFile reads a file argument; where is its place for errors.
func readFile(where string, raw json.RawMessage) (file, error) {
	var in struct {
		MediaType string `json:"media_type"`
		Base64    string `json:"base64"`
		Filename  string `json:"filename"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return file{}, &ArgumentError{Where: where, Message: "must be {media_type, base64}"}
	}
	data, err := base64.StdEncoding.DecodeString(in.Base64)
	if err != nil {
		return file{}, &ArgumentError{Where: where + ".base64", Message: "must be standard base64 with padding"}
	}
	if in.MediaType != "" && (!isHeaderText(in.MediaType) || essence(in.MediaType) == "") {
		return file{}, &ArgumentError{Where: where + ".media_type", Message: "must be a media type"}
	}
	if strings.ContainsAny(in.Filename, `/\`) || !isHeaderText(in.Filename) {
		return file{}, &ArgumentError{
			Where: where + ".filename", Message: "must be a name without slashes and control characters",
		}
	}
	return file{mediaType: in.MediaType, name: in.Filename, data: data}, nil
}

const octets = "application/octet-stream"

// within is the media type to send for a file where the document declares one
// type, a range, or a comma-separated list of these.
func (f file) within(where, declared string) (string, error) {
	given := essence(f.mediaType)
	for _, one := range strings.Split(declared, ",") {
		one = strings.TrimSpace(one)
		kind := essence(one)
		prefix, isRange := strings.CutSuffix(kind, "*")
		switch {
		case isRange && prefix == "*/" || isRange && given != "" && strings.HasPrefix(given, prefix):
			if given == "" {
				return octets, nil
			}
			return f.mediaType, nil
		case isRange:
		case given == kind || given == "" || kind == octets:
			return one, nil
		}
	}
	return "", &ArgumentError{Where: where + ".media_type", Message: "must be " + declared}
}

// essence is the media type in lower case without its parameters, or "".
func essence(mediaType string) string {
	kind, _, err := mime.ParseMediaType(mediaType)
	if err != nil || !strings.Contains(kind, "/") {
		return ""
	}
	return kind
}

// isJSON reports whether a media type is JSON or of a +json kind.
func isJSON(mediaType string) bool {
	kind := essence(mediaType)
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}
