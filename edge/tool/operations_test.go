package tool

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOperationsSplitsStatuses(t *testing.T) {
	t.Parallel()
	got := Operations([]Operation{
		{Tool: "a", Replies: []Reply{
			{Status: "200", MediaType: "application/json", Schema: "Ticket"},
			{Status: "404 409 default", MediaType: "application/json", Schema: "Outcome", Outcome: true},
		}},
		{Tool: "b"},
	})
	want := []Operation{
		{Tool: "a", Replies: []Reply{
			{Status: "200", MediaType: "application/json", Schema: "Ticket"},
			{Status: "404", MediaType: "application/json", Schema: "Outcome", Outcome: true},
			{Status: "409", MediaType: "application/json", Schema: "Outcome", Outcome: true},
			{Status: "default", MediaType: "application/json", Schema: "Outcome", Outcome: true},
		}},
		{Tool: "b"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
