package main

import (
	"context"
	"embed"
	"encoding/base64"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
)

//go:embed schemas/*.json
var schemas embed.FS

// picture is a PNG of one red pixel.
var picture = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")

// silence is a WAV of one sample.
var silence = decoded("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==")

func decoded(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// catalog holds the tools that a handler catalog can have.
func catalog() tool.Catalog {
	replies := []tool.Reply{{Status: "200", MediaType: "application/json", Schema: "Reply200"}}
	read := func(name string) tool.Operation {
		return tool.Operation{
			Tool: name, ID: name, Scope: "conformance:read", Effect: tool.Read, Idempotent: true, Replies: replies,
		}
	}
	return tool.Catalog{
		Name: "conformance", Bare: true, Schemas: schemas, Dispatch: dispatch,
		Operations: []tool.Operation{
			read("json_schema_2020_12_tool"), read("test_error_handling"), read("test_image_content"),
			read("test_simple_text"), read("test_x_mcp_header"),
		},
	}
}

func dispatch(_ context.Context, _ tool.Exchange, op *tool.Operation, _ []byte) (tool.Result, error) {
	switch op.Tool {
	case "json_schema_2020_12_tool", "test_simple_text", "test_x_mcp_header":
		return tool.Result{MediaType: "application/json", Body: []byte(`{"said":"a simple text"}`)}, nil
	case "test_error_handling":
		return tool.Result{}, fault.New(fault.Conflict, "this tool never succeeds")
	case "test_image_content":
		return tool.Result{MediaType: "image/png", Body: picture, Image: true}, nil
	default:
		return tool.Result{}, tool.ErrUnknown
	}
}
