package emit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

func TestPathTypes(t *testing.T) {
	t.Parallel()
	path := func(names ...string) *ir.Operation {
		op := &ir.Operation{Path: "/"}
		for _, name := range names {
			op.Path += "{" + name + "}"
			op.Parameters = append(op.Parameters, ir.Parameter{In: "path", Name: name, Key: name, GoName: name, GoType: "string"})
		}
		return op
	}
	count := path("Page")
	count.Parameters[0].GoType = "int64"
	long := "IntegrationServiceEnvironmentNameOfAnything"
	c := &ir.Catalog{Operations: []*ir.Operation{
		path("Account", "Agreement"), path("Agreement"), path("Account", "Agreement"), count,
		path("SubscriptionID", long, "Agreement"), path("GroupName", long, "Agreement"),
		path("SubscriptionID", long+long), path("Page"),
	}}
	var got []string
	for _, p := range pathTypes(c) {
		got = append(got, p.Name)
	}
	want := []string{
		"AccountAgreementPath", "AgreementPath", "AgreementPath2", "AgreementPath3", long + long + "Path",
		"PageInt64Path", "PagePath",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}
