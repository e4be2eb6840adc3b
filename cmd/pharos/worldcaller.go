package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
)

// worldCallers knows who calls the world's RPC by their key. The administrator
// has the administrative methods and the agent all others: neither does what the
// other is for (W-03).
type worldCallers struct {
	keys    *worldkey.Keys
	catalog tool.Catalog
}

var _ edge.Authenticator = worldCallers{}

// ResourceMetadata implements edge.Authenticator. Keys are handed out by nobody.
func (worldCallers) ResourceMetadata() string { return "" }

// Authenticate implements edge.Authenticator.
func (c worldCallers) Authenticate(r *http.Request) (*edge.Principal, error) {
	text, given := edge.Bearer(r)
	if !given {
		return nil, refusedKey("send the agent's or the administrator's key as a bearer token")
	}
	holder, ok := c.keys.Holder(text)
	if !ok {
		return nil, refusedKey("the key is not known")
	}
	scopes := slices.DeleteFunc(scopesOf(c.catalog), func(scope string) bool {
		return strings.HasSuffix(scope, ":admin") != (holder == worldkey.Admin)
	})
	return &edge.Principal{Subject: string(holder), Scopes: scopes}, nil
}

func refusedKey(message string) error {
	return &edge.Refusal{Status: http.StatusUnauthorized, Challenge: edge.Challenge{}.String(), Message: message}
}
