package edge

import "encoding/json"

// appendErrorObject writes an error as structured content.
func appendErrorObject(b []byte, code, message string) []byte {
	b = appendJSONString(append(b, `{"error":{"code":`...), code)
	b = appendJSONString(append(b, `,"message":`...), message)
	return append(b, "}}"...)
}

// errorObject is the schema of what appendErrorObject writes.
const errorObject = `{"type":"object","required":["error"],"properties":{"error":{"type":"object","required":["code","message"],` +
	`"properties":{"code":{"type":"string"},"message":{"type":"string"}}}}}`

// orError makes an output schema allow an error in the place of a result: there
// are clients that hold every structured content to it. Its definitions stay at
// the root, where references look for them.
func orError(schema json.RawMessage) (json.RawMessage, error) {
	var result map[string]json.RawMessage
	if err := json.Unmarshal(schema, &result); err != nil {
		return nil, err
	}
	root := map[string]json.RawMessage{"type": json.RawMessage(`"object"`)}
	for _, name := range []string{"$schema", "$defs"} {
		if value, ok := result[name]; ok {
			root[name] = value
			delete(result, name)
		}
	}
	alternatives, err := json.Marshal([]any{result, json.RawMessage(errorObject)})
	if err != nil {
		return nil, err
	}
	root["anyOf"] = alternatives
	return json.Marshal(root)
}
