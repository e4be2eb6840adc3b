package apidoc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// clause: E-40
func TestOwners(t *testing.T) {
	t.Parallel()
	d := load(t)
	owners, operators, ids := map[string]int{}, []string{}, map[string]int{}
	for _, op := range d.operations() {
		ids[op.id]++
		if op.value["x-operator"] == true {
			operators = append(operators, op.id)
		}
	}
	for _, op := range d.tools() {
		owners[op.value["x-owner"].(string)]++
	}
	want := map[string]int{
		"parties": 8, "projects": 11, "support": 10, "keys": 6, "pipelines": 8, "runs": 8, "hpc": 3,
	}
	if diff := cmp.Diff(want, owners); diff != "" {
		t.Errorf("operations by owner (-want +got):\n%s", diff)
	}
	if len(d.tools()) != 54 {
		t.Errorf("%d operations have an owner, want 54", len(d.tools()))
	}
	if want := []string{"listSupportQueue", "assignSupportTicket"}; !slices.Equal(operators, want) {
		t.Errorf("operator routes are %v, want %v", operators, want)
	}
	for id, n := range ids {
		if id == "" || n != 1 {
			t.Errorf("%d operations have the id %q", n, id)
		}
	}
}

// decision is one of manifest.json.
type decision struct{ Tool, Scope, Effect, Reason, Exclude string }

func decisions(t *testing.T) map[string]decision {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Catalogs struct {
			Platform struct {
				Operations map[string]map[string]decision
			}
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Catalogs.Platform.Operations["platform"]
}

// clause: E-02, E-03, E-40
func TestDecisions(t *testing.T) {
	t.Parallel()
	all := decisions(t)
	capital := regexp.MustCompile(`[A-Z]`)
	for _, op := range load(t).operations() {
		got := all[op.method+" "+op.path]
		owner, _ := op.value["x-owner"].(string)
		if owner == "" {
			if got.Exclude == "" || got.Tool != "" {
				t.Errorf("%s has no owner and is not excluded: %+v", op.id, got)
			}
			continue
		}
		want := decision{Tool: capital.ReplaceAllStringFunc(op.id, func(s string) string { return "_" + strings.ToLower(s) })}
		switch {
		case op.method == "GET":
			want.Effect, want.Scope = "read", owner+":read"
		case op.method == "DELETE":
			want.Effect, want.Scope = "delete", owner+":write"
		case op.id == "validateSshKey":
			want.Effect, want.Scope, want.Reason = "read", owner+":read", "checks syntax, stores nothing"
		default:
			want.Effect, want.Scope = "write", owner+":write"
		}
		if op.value["x-operator"] == true {
			want.Scope = owner + ":admin"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("decision for %s (-want +got):\n%s", op.id, diff)
		}
	}
}

// clause: E-12, E-16, E-41
func TestCommands(t *testing.T) {
	t.Parallel()
	d, all := load(t), decisions(t)
	for _, op := range d.tools() {
		parameters := d.parameters(op)
		command := all[op.method+" "+op.path].Effect != "read"
		for _, name := range []string{"header Idempotency-Key", "header If-Match"} {
			if p, ok := parameters[name]; ok != command || command && p.value["required"] != true {
				t.Errorf("%s: %s is there: %v, required: %v; want both %v", op.id, name, ok, p.value["required"], command)
			}
		}
		var outcomes []string
		for _, status := range sorted(d.at(op.node, "responses").value) {
			reply := d.at(op.node, "responses", status)
			_, media := d.content(reply)
			outcome := d.at(media, "schema").value["x-outcome"] == true
			if outcome {
				outcomes = append(outcomes, d.at(media, "schema").where)
			}
			switch {
			case status == "default":
			case strings.HasPrefix(status, "2"):
				if command && !outcome && status != "201" {
					t.Errorf("%s: a command answers %s with no outcome", op.id, status)
				}
			case !slices.Contains([]string{"404", "409", "422"}, status) || !outcome || !command:
				t.Errorf("%s declares %s, outcome: %v; rejections have 404, 409 or 422, all else the default",
					op.id, status, outcome)
			}
		}
		if len(slices.Compact(outcomes)) > 1 {
			t.Errorf("%s has several outcomes: %v", op.id, outcomes)
		}
		if command && d.at(op.node, "responses", "409").value == nil {
			t.Errorf("%s cannot tell of a key that is used again: it has no 409", op.id)
		}
	}
}

// clause: E-42
func TestLists(t *testing.T) {
	t.Parallel()
	d := load(t)
	for _, op := range d.tools() {
		_, media := d.content(d.at(op.node, "responses", "200"))
		_, page := d.at(media, "schema", "properties").value["items"]
		parameters := d.parameters(op)
		_, limit := parameters["query limit"]
		_, cursor := parameters["query cursor"]
		_, next := d.at(media, "schema", "properties").value["next_cursor"]
		list := strings.HasPrefix(op.id, "list")
		if page != list || limit != list || cursor != list || next != list {
			t.Errorf("%s: list %v, items %v, limit %v, cursor %v, next_cursor %v", op.id, list, page, limit, cursor, next)
		}
		if tag := d.at(op.node, "responses", "200", "headers").value["ETag"]; list && tag != nil {
			t.Errorf("%s has an ETag, which a page has not", op.id)
		}
	}
}

// clause: E-42
func TestProblems(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{platformAPI, playAPI} {
		problemsOf(t, loadFrom(t, folder))
	}
}

// problemsOf holds the errors of a document's operations to the faults that
// there are.
func problemsOf(t *testing.T, d document) {
	for _, op := range d.operations() {
		mediaType, media := d.content(d.at(op.node, "responses", "default"))
		schema := d.at(media, "schema")
		if mediaType != "application/problem+json" {
			t.Errorf("%s: errors are %q, want problem documents", op.id, mediaType)
			continue
		}
		if required, _ := schema.value["required"].([]any); !slices.Contains(required, any("code")) {
			t.Errorf("%s: a problem may be without a code", op.id)
		}
		codes, _ := d.at(schema, "properties", "code").value["enum"].([]any)
		if len(codes) == 0 {
			t.Errorf("%s: a problem's code is no enum", op.id)
		}
		for _, code := range codes {
			if !slices.Contains(fault.Codes(), fault.Code(code.(string))) {
				t.Errorf("%s: no fault has the code %q", op.id, code)
			}
		}
	}
}

// The broker learns who an identity is, and three words, in exchange for a login
// assertion and nothing else.
//
// clause: E-28
func TestIdentity(t *testing.T) {
	t.Parallel()
	d := load(t)
	for _, op := range d.operations() {
		if op.id != "resolveIdentity" {
			continue
		}
		_, asked := d.content(d.at(op.node, "requestBody"))
		_, told := d.content(d.at(op.node, "responses", "200"))
		got := object{
			"at": op.method + " " + op.path, "with": op.value["security"], "asked": sorted(d.at(asked, "schema", "properties").value),
			"told": sorted(d.at(told, "schema", "properties").value), "reasons": d.enum(t, "internal.yaml", "IdentityProblemCode"),
		}
		want := object{
			"at": "POST /internal/mcp/identity", "with": []any{object{"login_assertion": []any{}}}, "asked": []string(nil),
			"told":    []string{"auth_version", "operator", "party_id"},
			"reasons": []string{"aup_required", "deactivated", "not_registered", "setup_required"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the identity operation (-want +got):\n%s", diff)
		}
		return
	}
	t.Error("there is no identity operation")
}

func TestDescriptions(t *testing.T) {
	t.Parallel()
	for _, folder := range folders {
		described(t, loadFrom(t, folder))
	}
}

func described(t *testing.T, d document) {
	for _, op := range d.operations() {
		summary, _ := op.value["summary"].(string)
		description, _ := op.value["description"].(string)
		if summary == "" || strings.HasSuffix(summary, ".") || len(description) < 25 {
			t.Errorf("%s: summary %q, description %q", op.id, summary, description)
		}
		for name, p := range d.parameters(op) {
			if text, _ := p.value["description"].(string); text == "" {
				t.Errorf("%s: nothing describes the %s", op.id, name)
			}
		}
	}
}
