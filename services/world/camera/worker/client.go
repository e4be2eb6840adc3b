package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
)

// The codes of a world's cameras.
const (
	Unavailable fault.Code = "camera_unavailable" // nobody draws
	NotReady    fault.Code = "capture_not_ready"  // what is to be seen is not there yet, or not all of it
)

// maxReply bounds what a worker answers.
const maxReply = MaxImage + 64<<10

// Client asks a worker for pictures.
type Client struct {
	URL  string // "http://127.0.0.1:8766"
	Key  func() (string, error)
	HTTP *http.Client
}

// Frame has a picture drawn. What it returns shows the snapshot that was sent, or
// it is an error: a fault with one of this package's codes, or an invalid request.
func (c *Client) Frame(ctx context.Context, s *snapshot.Snapshot, o Order) (Frame, error) {
	key, err := c.Key()
	if err != nil {
		return Frame{}, fault.Newf(Unavailable, "the camera's key cannot be read; is a camera running?")
	}
	body, contentType, err := message(s, o)
	if err != nil {
		return Frame{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+Path, body)
	if err != nil {
		return Frame{}, err
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "Bearer "+key)
	reply, err := c.HTTP.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return Frame{}, fault.New(NotReady, "the camera took too long; ask again, or for fewer pixels")
		}
		return Frame{}, fault.New(Unavailable, "no camera answers; start one with: pharos serve camera")
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, maxReply+1))
	switch {
	case err != nil:
		return Frame{}, fault.New(NotReady, "the camera's answer was cut off; ask again")
	case len(text) > maxReply:
		return Frame{}, fault.New(fault.Invalid, "the picture is too large: ask for fewer pixels")
	case reply.StatusCode != http.StatusOK:
		return Frame{}, refusal(reply.StatusCode, text)
	}
	var f Frame
	if err := json.Unmarshal(text, &f); err != nil || len(f.Image) == 0 {
		return Frame{}, fault.New(Unavailable, "the camera's answer cannot be read")
	}
	if f.Revision != s.Revision {
		return Frame{}, fault.Newf(NotReady, "the camera shows revision %d and not %d, so the picture was thrown away; ask again", f.Revision, s.Revision)
	}
	return f, nil
}

func message(s *snapshot.Snapshot, o Order) (body *bytes.Buffer, contentType string, err error) {
	body = new(bytes.Buffer)
	parts := multipart.NewWriter(body)
	order, err := parts.CreateFormField("order")
	if err == nil {
		err = json.NewEncoder(order).Encode(o)
	}
	if err != nil {
		return nil, "", err
	}
	picture, err := parts.CreateFormFile("snapshot", "snapshot")
	if err != nil {
		return nil, "", err
	}
	err = errors.Join(s.Encode(picture), parts.Close())
	return body, parts.FormDataContentType(), err
}

// refusal is what the service's caller sees of a worker's refusal.
func refusal(status int, text []byte) error {
	var body struct{ Error problem }
	if json.Unmarshal(text, &body) != nil || body.Error.Code == "" {
		return fault.New(Unavailable, fmt.Sprintf("the camera answered with status %d", status))
	}
	switch status {
	case http.StatusBadRequest:
		return fault.New(fault.Invalid, body.Error.Message)
	case http.StatusConflict:
		return fault.New(NotReady, body.Error.Message)
	case http.StatusServiceUnavailable:
		return fault.New(NotReady, "the camera is busy; ask again")
	default:
		return fault.New(Unavailable, "the camera refused: "+body.Error.Message)
	}
}
