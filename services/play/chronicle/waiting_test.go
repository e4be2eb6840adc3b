package chronicle_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
)

func TestWaiting(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	s.happen(id, turn("2"), turn("3"), review, turn("5"))
	s.propose(id, effect{version: 2, position: 1, status: "approved", decided: 4, description: "decided"})
	for position := 1; position <= 10; position++ {
		s.propose(id, effect{version: 5, position: position, status: "pending", description: fmt.Sprint(position)})
		s.propose(id, effect{version: 3, position: position, status: "pending", description: fmt.Sprint(position)})
	}
	s.propose(id, effect{version: 2, position: 2, status: "pending", description: "first"})

	got, err := s.Waiting(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, w := range got {
		order = append(order, fmt.Sprintf("%d/%d %s", w.Version, w.Position, w.Turn.Narration))
	}
	want := []string{"2/2 2"}
	for position := 1; position <= 10; position++ {
		want = append(want, fmt.Sprintf("3/%d 3", position))
	}
	for position := 1; position <= 9; position++ { // no more than a review takes
		want = append(want, fmt.Sprintf("5/%d 5", position))
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	first := chronicle.Waiting{
		Consequence: assignment.Consequence{
			ID: effectID(effect{version: 2, position: 2}), Version: 2, Position: 2, Category: "discovery", Description: "first",
			Status: "pending", CreatedAt: start,
		},
		Turn: chronicle.Entry{Version: 2, Kind: "turn", Action: "I do it.", Narration: "2", Scene: "harbor", At: start},
	}
	if diff := cmp.Diff(first, got[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := s.Waiting(t.Context(), uuid.New()); len(got) > 0 || err != nil {
		t.Errorf("of no assignment %v waits, with error %v", got, err)
	}
}
