package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/world"
)

// The bounds of finding out what a project has switched on.
const (
	worldOfferAge  = 2 * time.Second
	worldOfferTime = 5 * time.Second
)

// worldOffer is what the world's MCP server offers: for one player in one project
// what is on there, which it asks the world for from time to time (W-06).
type worldOffer struct {
	catalog  tool.Catalog
	exchange tool.Exchange
	members  map[string]json.RawMessage // what no model chooses

	mu         sync.Mutex
	asked      time.Time
	extensions []string // as they were known last
}

func newWorldOffer(c worldMCPConfig, x tool.Exchange) *worldOffer {
	player, _ := json.Marshal(c.PlayerID) // strings always encode
	project, _ := json.Marshal(c.ProjectID)
	return &worldOffer{
		catalog: catalog.Remote(), exchange: x,
		members: map[string]json.RawMessage{"player_id": player, "project_id": project},
	}
}

// inject supplies who acts and where (W-04).
func (o *worldOffer) inject(context.Context, *edge.Principal, *tool.Operation) (map[string]json.RawMessage, error) {
	return o.members, nil
}

// scopes leaves a caller those of the usual tools and of the extensions that are
// on: the tools of the extension undo_list have the owner world-undo-list. While
// the world does not answer, they are those that were on last.
func (o *worldOffer) scopes(ctx context.Context, p *edge.Principal) []string {
	extensions := o.switchedOn(ctx)
	return slices.DeleteFunc(slices.Clone(p.Scopes), func(scope string) bool {
		owner, _, _ := strings.Cut(scope, ":")
		extension, special := strings.CutPrefix(owner, "world-")
		return special && !slices.Contains(extensions, strings.ReplaceAll(extension, "-", "_"))
	})
}

func (o *worldOffer) switchedOn(ctx context.Context) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if time.Since(o.asked) < worldOfferAge {
		return o.extensions
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), worldOfferTime)
	defer cancel()
	if extensions, err := o.ask(ctx); err == nil {
		o.extensions = extensions
	}
	o.asked = time.Now()
	return o.extensions
}

// ask calls project_context.
func (o *worldOffer) ask(ctx context.Context) ([]string, error) {
	i := slices.IndexFunc(o.catalog.Operations, func(op tool.Operation) bool { return op.Tool == "project_context" })
	reply, err := o.catalog.Dispatch(tool.WithInjected(ctx, o.members), o.exchange, &o.catalog.Operations[i], []byte("{}"))
	if err != nil {
		return nil, err
	}
	var project struct {
		Extensions []string `json:"extensions"`
	}
	err = json.Unmarshal(reply.Body, &project)
	return project.Extensions, err
}
