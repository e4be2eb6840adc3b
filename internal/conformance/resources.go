package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const watched = "test://watched-resource"

func addResources(server *mcp.Server) {
	for _, r := range []*mcp.ResourceContents{
		{URI: "test://static-text", MIMEType: "text/plain", Text: "This never changes."},
		{URI: "test://static-binary", MIMEType: "image/png", Blob: picture},
		{URI: watched, MIMEType: "text/plain", Text: "This changes now and then."},
	} {
		server.AddResource(&mcp.Resource{
			Name: strings.TrimPrefix(r.URI, "test://"), Description: "Is for a conformance test.", URI: r.URI, MIMEType: r.MIMEType,
		}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{r}}, nil
		})
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "template", Description: "Is for a conformance test.", MIMEType: "application/json",
		URITemplate: "test://template/{id}/data",
	}, readTemplate)
}

func readTemplate(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
	data, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: r.Params.URI, MIMEType: "application/json", Text: string(data)},
	}}, nil
}
