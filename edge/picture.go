package edge

import (
	"encoding/base64"
	"encoding/json"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// Picture names the members of a tool's result that have a picture.
type Picture struct {
	Data      string // its bytes, in base64
	MediaType string // such as "image/png"
}

// lift takes a picture out of a result. Without one, or where it cannot be read,
// the result stays as it is.
func (p Picture) lift(result []byte) (rest []byte, picture *tool.Result) {
	var taken map[string]string
	var left json.RawMessage
	if p.Data == "" || tool.Split(result, &taken, &left, true, p.Data, p.MediaType) != nil {
		return result, nil
	}
	data, err := base64.StdEncoding.DecodeString(taken[p.Data])
	if err != nil || len(data) == 0 || taken[p.MediaType] == "" {
		return result, nil
	}
	return left, &tool.Result{MediaType: taken[p.MediaType], Body: data, Image: true}
}
