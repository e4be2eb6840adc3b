// Command agent plays dispatch over MCP:
//
//	agent http://127.0.0.1:8083/mcp stage1-basic@londone
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	s, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: os.Args[1]}, nil)
	if err != nil {
		log.Fatal(err)
	}
	end, err := play(ctx, s, (&firstCome{heard: map[string]bool{}}).think, os.Args[2])
	if err = cmp.Or(err, json.NewEncoder(os.Stdout).Encode(end.raw), s.Close()); err != nil {
		log.Fatal(err)
	}
}
