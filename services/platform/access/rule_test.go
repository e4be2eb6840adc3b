package access

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/generated/platformapi"
)

func newService(t *testing.T) *Service {
	t.Helper()
	s, err := New(Config{Catalog: catalog.Catalog()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every operation that is served says who may call it, and nothing else does.
//
// clause: E-40
func TestEveryOperationHasARule(t *testing.T) {
	t.Parallel()
	s := newService(t)
	api := reflect.TypeFor[platformapi.StrictServerInterface]()
	names := map[string]bool{}
	needs := map[need]int{}
	for i := range api.NumMethod() {
		name := api.Method(i).Name
		names[operationName(name)] = true
		rule, err := s.ruleOf(name)
		if err != nil {
			t.Error(err)
		}
		needs[rule.need]++
	}
	if needs[business]+needs[early] != 54+1 { // and the stream of events
		t.Errorf("%d operations are business, want 54 and the stream", needs[business]+needs[early])
	}
	for name := range others {
		if !names[name] {
			t.Errorf("there is no operation %s", name)
		}
	}
	for name := range earlies {
		if !names[name] {
			t.Errorf("there is no operation %s", name)
		}
	}
	if _, err := s.ruleOf("DropEverything"); err == nil {
		t.Error("an unknown operation has a rule")
	}
}

// clause: E-02, E-23
func TestAllows(t *testing.T) {
	t.Parallel()
	s := newService(t)
	member := s.Scopes(Principal{})
	if slices.ContainsFunc(member, isAdmin) || len(member) == 0 {
		t.Errorf("a member has %q", member)
	}
	want := append(member, "support:admin")
	slices.Sort(want)
	if diff := cmp.Diff(want, s.Scopes(Principal{Operator: true})); diff != "" {
		t.Errorf("an operator (-want +got):\n%s", diff)
	}
	for name, c := range map[string]struct {
		principal Principal
		scope     string
		want      bool
	}{
		"a listed scope":              {Principal{Scopes: []string{"a:read"}}, "a:read", true},
		"another one":                 {Principal{Scopes: []string{"a:read"}}, "a:write", false},
		"none at all":                 {Principal{Scopes: []string{}}, "a:read", false},
		"admin of a member":           {Principal{Scopes: []string{"a:admin"}}, "a:admin", false},
		"admin of an operator":        {Principal{Operator: true, Scopes: []string{"a:admin"}}, "a:admin", true},
		"admin that is not listed":    {Principal{Operator: true, Scopes: []string{"a:read"}}, "a:admin", false},
		"read is no part of an admin": {Principal{Operator: true, Scopes: []string{"a:admin"}}, "a:read", false},
	} {
		if got := c.principal.Allows(c.scope); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestStandings(t *testing.T) {
	t.Parallel()
	state := func(s string) *string { return &s }
	for name, c := range map[string]struct {
		state *string
		due   int64
		want  Standing
		code  fault.Code
	}{
		"no party":              {nil, 0, Unregistered, fault.SetupRequired},
		"no party and a policy": {nil, 1, Unregistered, fault.SetupRequired},
		"pending":               {state("setup_pending"), 1, SetupPending, fault.SetupRequired},
		"a policy is due":       {state("active"), 1, AUPRequired, fault.SetupRequired},
		"active":                {state("active"), 0, Active, ""},
		"deactivated":           {state("deactivated"), 0, Deactivated, fault.Forbidden},
		"unheard of":            {state("asleep"), 0, Deactivated, fault.Forbidden},
	} {
		got := StandingOf(c.state, c.due)
		if code := fault.CodeOf(got.Required()); got != c.want || code != c.code {
			t.Errorf("%s: %s with %q, want %s with %q", name, got, code, c.want, c.code)
		}
	}
}

// What needs no credential at the gate needs none at the operation either.
func TestPublic(t *testing.T) {
	t.Parallel()
	var open []string
	for name, rule := range others {
		if rule.need == anyone {
			open = append(open, name)
		}
	}
	slices.Sort(open)
	if diff := cmp.Diff([]string{"health", "login", "ready", "version"}, open); diff != "" || len(diagnostics)+1 != len(open) {
		t.Errorf("open operations (-want +got):\n%s", diff)
	}
}
