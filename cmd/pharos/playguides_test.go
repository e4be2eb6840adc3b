package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play"
)

// guideCall is a call that a guide shows.
type guideCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// guideSamples are the calls that a guide shows, in their order, and the only
// configuration of a client.
func guideSamples(t *testing.T, file string) (calls []guideCall, client string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/play", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1) {
		if strings.Contains(string(sample[1]), "mcpServers") {
			if client != "" {
				t.Errorf("%s shows two configurations", file)
			}
			client = string(sample[1])
			continue
		}
		var call guideCall
		if err := json.Unmarshal(sample[1], &call); err != nil {
			t.Fatalf("%s: %v in %s", file, err, sample[1])
		}
		calls = append(calls, call)
	}
	return calls, client
}

// TestPlayGuides makes the calls that the guides show, at a demonstration that is
// new, and holds the configurations to what the program writes.
//
// clause: P-13, P-18, P-50
func TestPlayGuides(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"", "pl/"} {
		db := &pg.DB{Pool: pgtest.Database(t, "play"), Folder: t.TempDir()}
		d, err := developmentPlay(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		accounts := newPlayServices(db.Pool).Accounts
		gm, err := accounts.ByUsername(t.Context(), "gm")
		if err != nil {
			t.Fatal(err)
		}
		author, _, err := accounts.IssueToken(t.Context(), gm.ID, uuid.New(), "guide")
		if err != nil {
			t.Fatal(err)
		}
		c := playConfig{Listen: "127.0.0.1:0"}
		front, err := newPlayFront(c, c.service(db.Pool, slog.New(slog.DiscardHandler)), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = front.gate.Close() })
		server := httptest.NewServer(front)
		t.Cleanup(server.Close)

		for _, guide := range []struct {
			file, client, path, token, placeholder string
			calls                                  []string
		}{
			{"player.md", "pharos-play", play.PlayPath, d.token, "PLAY-TOKEN", []string{"commit_play_turn", "finish_play_session"}},
			{"gm.md", "pharos-author", play.AuthorPath, author, "AUTHOR-TOKEN", []string{
				"create_scenario", "create_scenario_node", "publish_scenario_version", "create_wiki_page", "update_wiki_page",
			}},
		} {
			file := folder + guide.file
			calls, client := guideSamples(t, file)
			var want strings.Builder
			if err := encodeClient(&want, guide.client, "https://play.example"+guide.path, guide.placeholder); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.String(), client); diff != "" {
				t.Errorf("%s: the configuration (-, that of the program): %s", file, diff)
			}
			var names []string
			for _, call := range calls {
				names = append(names, call.Name)
				if text := guideResult(t, server.URL+guide.path, guide.token, call); text != "" {
					t.Errorf("%s: %s: %s", file, call.Name, text)
				}
			}
			if !slices.Equal(names, guide.calls) {
				t.Errorf("%s shows the calls %q", file, names)
			}
		}
	}
}

// guideResult makes a call and gives the text of its failure, or "".
func guideResult(t *testing.T, url, token string, call guideCall) string {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "guide", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: withHeaders{"Authorization": "Bearer " + token}},
	}, nil)
	if err != nil {
		return err.Error()
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments})
	switch {
	case err != nil:
		return err.Error()
	case !result.IsError:
		return ""
	}
	text, _ := result.Content[0].(*mcp.TextContent)
	return text.Text
}
