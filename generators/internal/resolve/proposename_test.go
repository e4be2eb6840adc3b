package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/clients"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

func TestSnake(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"listPets": "list_pets", "HTTPServer": "http_server", "getURLsOf": "get_urls_of", "listVMs2": "list_vms2",
		"foo/bar.baz--x": "foo_bar_baz_x", "__a__": "a", "A": "a", "OAuth2Token": "o_auth2_token", "v1.get": "v1_get",
		"": "", "привет": "", "a привет b": "a_b", "Ünïcode": "n_code",
	} {
		if got := snake(in); got != want {
			t.Errorf("snake(%q) = %q, want %q", in, got, want)
		}
	}
}

// clause: E-05
func TestProposedNamesAreLegalUniqueAndStable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("segment/", 12)
	var ops []*normalise.Operation
	for i, id := range []string{
		"get", "get", "Get", "foo/list", "foo.list", "foo-list", "foo_list", "a__b", "a_b", "2fa", "名前", "名前2",
		strings.Repeat("a", 80), strings.Repeat("a", 80) + "b", "", "", "", "taken",
	} {
		path := fmt.Sprintf("/p%d", i)
		if i%3 == 0 {
			path = "/" + long + path
		}
		ops = append(ops, &normalise.Operation{Key: "GET " + path, Method: "GET", Path: path, ID: id})
	}
	ops = append(ops, &normalise.Operation{Key: "GET /a/b", Method: "GET", Path: "/a/b"})
	ops = append(ops, &normalise.Operation{Key: "GET /a-b", Method: "GET", Path: "/a-b"})
	c := &manifest.Catalog{Documents: []*manifest.Document{
		{Decisions: []*manifest.Decision{{Key: "GET /z", Tool: "taken", Was: []string{"get_p1"}}}},
	}}
	names := proposeNames(c, ops)
	byKey := map[string]string{}
	seen := map[string]string{"Taken": "taken", "GetP1": "get_p1"}
	for i, name := range names {
		if !toolName.MatchString(name) {
			t.Errorf("%s %q: %q is no tool name", ops[i].Key, ops[i].ID, name)
		}
		if other, ok := seen[clients.GoName(name)]; ok {
			t.Errorf("%q and %q have the same Go name", other, name)
		}
		seen[clients.GoName(name)] = name
		byKey[ops[i].Key] = name
	}
	slices.Reverse(ops)
	again := map[string]string{}
	for i, name := range proposeNames(c, ops) {
		again[ops[i].Key] = name
	}
	if diff := cmp.Diff(byKey, again); diff != "" {
		t.Errorf("in another order: -first +again:\n%s", diff)
	}
}
