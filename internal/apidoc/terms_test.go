package apidoc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// enum is the values of a shared schema of a file, sorted.
func (d document) enum(t *testing.T, file, schema string) []string {
	t.Helper()
	list, _ := d.at(node{file, d[file], ""}, "components", "schemas", schema).value["enum"].([]any)
	if len(list) == 0 {
		t.Errorf("%s: %s is no enum", file, schema)
	}
	var values []string
	for _, v := range list {
		values = append(values, v.(string))
	}
	slices.Sort(values)
	return values
}

// TestStates compares the words that the database admits with those that the
// API does.
func TestStates(t *testing.T) {
	t.Parallel()
	d, known := load(t), constraints(t, "platform")
	for name, c := range map[string]struct {
		file, schema string
		hidden       []string // what only the database knows
	}{
		"project_state_known":     {"projects.yaml", "ProjectState", []string{"deleted"}},
		"member_role_known":       {"projects.yaml", "ProjectRole", nil},
		"ssh_key_algorithm_known": {"keys.yaml", "KeyAlgorithm", nil},
		"ticket_state_known":      {"support.yaml", "TicketStatus", nil},
		"pipeline_state_known":    {"pipelines.yaml", "PipelineState", nil},
		"run_state_known":         {"runs.yaml", "RunState", nil},
		"run_event_state_known":   {"runs.yaml", "RunState", nil},
		"run_event_kind_known":    {"runs.yaml", "RunEventKind", nil},
		"hpc_queue_state_known":   {"hpc.yaml", "QueueState", nil},
	} {
		want := slices.Sorted(slices.Values(append(d.enum(t, c.file, c.schema), c.hidden...)))
		if diff := cmp.Diff(want, known[name]); diff != "" {
			t.Errorf("%s is not what %s of %s says (-want +got):\n%s", name, c.schema, c.file, diff)
		}
		delete(known, name)
	}
	delete(known, "party_state_known")   // the API tells it as registration, setup and standing
	delete(known, "run_step_kind_known") // the API has a schema for each kind
	if len(known) > 0 {
		t.Errorf("nothing compares %v", sorted(known))
	}
}

// TestPlayStates compares the words that the database of play admits with those
// that its three documents do.
func TestPlayStates(t *testing.T) {
	t.Parallel()
	known := constraints(t, "play")
	rest, players, authors := loadFrom(t, playAPI), loadFrom(t, playTools), loadFrom(t, authorTools)
	for name, c := range map[string]struct {
		said   [][]string // by each document
		hidden []string   // what only the database knows
	}{
		"account_language_known":        {said: [][]string{rest.enum(t, "common.yaml", "Language")}},
		"scenario_language_known":       {said: [][]string{authors.enum(t, "scenarios.yaml", "Language")}},
		"scenario_version_status_known": {said: [][]string{authors.enum(t, "scenarios.yaml", "VersionStatus")}},
		"node_kind_known": {said: [][]string{
			authors.enum(t, "nodes.yaml", "NodeKind"), players.enum(t, "play.yaml", "NodeKind"),
		}},
		"assignment_mode_known": {said: [][]string{rest.enum(t, "plays.yaml", "Mode"), players.enum(t, "play.yaml", "Mode")}},
		"assignment_language_known": {said: [][]string{
			rest.enum(t, "common.yaml", "Language"), players.enum(t, "play.yaml", "Language"),
		}},
		"assignment_status_known": {said: [][]string{
			rest.enum(t, "plays.yaml", "PlayStatus"), players.enum(t, "play.yaml", "SessionStatus"),
		}},
		"event_kind_known": {[][]string{
			rest.enum(t, "plays.yaml", "EventKind"), players.enum(t, "play.yaml", "EventKind"),
		}, []string{"review"}},
		"consequence_category_known": {said: [][]string{
			rest.enum(t, "plays.yaml", "Category"), players.enum(t, "play.yaml", "Category"),
		}},
		"consequence_status_known": {said: [][]string{
			rest.enum(t, "plays.yaml", "ConsequenceStatus"), players.enum(t, "play.yaml", "ConsequenceStatus"),
		}},
	} {
		for _, said := range c.said {
			want := slices.Sorted(slices.Values(slices.Concat(said, c.hidden)))
			if diff := cmp.Diff(want, known[name]); diff != "" {
				t.Errorf("%s is not what a document says (-want +got):\n%s", name, diff)
			}
		}
		delete(known, name)
	}
	delete(known, "receipt_kind_known") // kinds of operations, which no document names
	if len(known) > 0 {
		t.Errorf("nothing compares %v", sorted(known))
	}
}

var knownWords = regexp.MustCompile(`(?s)CONSTRAINT (\w+_known) CHECK \(\w+ IN \((.*?)\)\)`)

// constraints are the words of an owner's database, sorted, by the constraint
// that lists them.
func constraints(t *testing.T, owner string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	names, err := filepath.Glob(filepath.Join(root, "queries", owner, "migrations/*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range knownWords.FindAllStringSubmatch(string(text), -1) {
			words := strings.FieldsFunc(m[2], func(r rune) bool { return strings.ContainsRune("', \n", r) })
			all[m[1]] = slices.Sorted(slices.Values(words))
		}
	}
	return all
}

// TestRejections finds each rejection that the API promises in the services,
// and each that they declare in the API.
//
// clause: E-41
func TestRejections(t *testing.T) {
	t.Parallel()
	d := load(t)
	want := slices.Concat(d.enum(t, "common.yaml", "Rejection"), d.enum(t, "pipelines.yaml", "PipelineRejection"),
		d.enum(t, "runs.yaml", "RunRejection"))
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), constants(t, "Rejection", "Reason")); diff != "" {
		t.Errorf("the API's rejections are not those of the services (-want +got):\n%s", diff)
	}
}

// constants are the texts, sorted, of all constants of services/platform whose
// type has one of the names.
func constants(t *testing.T, types ...string) []string {
	t.Helper()
	var values []string
	err := filepath.WalkDir(filepath.Join(root, "services/platform"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && slices.Contains(types, typeName(spec.Type)) {
				for _, v := range spec.Values {
					if literal, ok := v.(*ast.BasicLit); ok {
						text, _ := strconv.Unquote(literal.Value)
						values = append(values, text)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// typeName is the name of a type without its package.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	default:
		return ""
	}
}

// TestScopes offers tokens with every scope that an operation asks for, and
// with no other.
//
// clause: E-02
func TestScopes(t *testing.T) {
	t.Parallel()
	var want []string
	for _, d := range decisions(t) {
		if d.Scope != "" {
			want = append(want, d.Scope)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), load(t).enum(t, "auth.yaml", "Scope")); diff != "" {
		t.Errorf("the scopes of tokens are not those of the operations (-want +got):\n%s", diff)
	}
}
