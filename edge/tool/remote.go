package tool

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// RemoteError is what a service's RPC answered in place of a result.
type RemoteError struct {
	Code       string
	Message    string
	Status     int    // of HTTP
	RetryAfter string // header, or ""
}

// Error gives code and message.
func (e *RemoteError) Error() string { return e.Code + ": " + e.Message }

// Remote has a service perform an operation by its RPC, which is at the base of
// the operation's document: one request {"method", "params", "requestId"},
// whose params are the arguments, byte for byte, with the values that the mount
// injects among them.
//
// An error of the service's is *RemoteError. A reply that is not the RPC's is
// a *SendError, as a lost one is: what became of a write is unknown.
func Remote(ctx context.Context, x Exchange, op *Operation, arguments []byte) (Result, error) {
	reply, value, err := remote(ctx, x, op, arguments)
	if err != nil {
		return reply, err
	}
	if string(value) == "null" && !declaresBody(op) {
		return Result{}, nil
	}
	return Result{MediaType: "application/json", Body: value}, nil
}

// RemoteImage is Remote for an operation whose result is a picture. The RPC
// carries it as base64 with its media type.
func RemoteImage(ctx context.Context, x Exchange, op *Operation, arguments []byte) (Result, error) {
	reply, value, err := remote(ctx, x, op, arguments)
	if err != nil {
		return reply, err
	}
	var picture struct {
		MediaType string `json:"media_type"`
		Data      []byte `json:"base64"`
	}
	if err := json.Unmarshal(value, &picture); err != nil || picture.MediaType == "" || len(picture.Data) == 0 {
		return Result{}, &SendError{Sent: true, Err: errNoPicture}
	}
	return Result{MediaType: picture.MediaType, Body: picture.Data, Image: true}, nil
}

var (
	errNoRPC     = errors.New("the reply is not that of an RPC")
	errNoPicture = errors.New("the result is no picture")
)

// remote sends the request and takes the reply apart. The Result is what came,
// for an error that has to tell of it.
func remote(ctx context.Context, x Exchange, op *Operation, arguments []byte) (Result, json.RawMessage, error) {
	values, _ := ctx.Value(injected{}).(map[string]json.RawMessage)
	params, err := inject(arguments, values)
	if err != nil {
		return Result{}, nil, err
	}
	body := fmt.Appendf(nil, `{"method":%q,"requestId":%q,"params":%s}`, op.Tool, rand.Text(), params)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, x.Base(op.Document), bytes.NewReader(body))
	if err != nil {
		return Result{}, nil, &SendError{Err: err}
	}
	request.Header["Content-Type"] = []string{"application/json"}
	request.Header["Accept"] = []string{"application/json"}
	reply, err := x.Send(ctx, op, request)
	if err != nil {
		return Result{}, nil, err
	}
	var answer struct {
		OK     *bool           `json:"ok"`
		Result json.RawMessage `json:"result"`
		Error  struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	err = json.Unmarshal(reply.Body, &answer)
	switch {
	case err != nil || answer.OK == nil, *answer.OK != (reply.Status == http.StatusOK):
		err = &SendError{Sent: true, Err: errNoRPC}
	case !*answer.OK && answer.Error.Code == "", *answer.OK && answer.Result == nil:
		err = &SendError{Sent: true, Err: errNoRPC}
	case !*answer.OK:
		err = &RemoteError{
			Code: answer.Error.Code, Message: answer.Error.Message, Status: reply.Status, RetryAfter: reply.RetryAfter,
		}
	}
	return Result{}, answer.Result, err
}

// declaresBody reports whether a success of the operation has a body.
func declaresBody(op *Operation) bool {
	return slices.ContainsFunc(op.Replies, func(r Reply) bool {
		return strings.HasPrefix(r.Status, "2") && r.MediaType != ""
	})
}
