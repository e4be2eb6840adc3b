package scenario_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// TestOthers calls everything with what another owner has and with what does not
// exist: the two are told in the same words.
//
// clause: P-50
func TestOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.publish()
	must(t)(f.NewVersion(f.ctx(), ada, tale, 1))
	calls := map[string]func(owner, id uuid.UUID) error{
		"Get": func(owner, id uuid.UUID) error { _, err := f.Get(f.ctx(), owner, id); return err },
		"NewVersion": func(owner, id uuid.UUID) error {
			_, err := f.NewVersion(f.ctx(), owner, id, 2)
			return err
		},
		"Publish": func(owner, id uuid.UUID) error { _, err := f.Publish(f.ctx(), owner, id, 2, 1); return err },
		"Nodes": func(owner, id uuid.UUID) error {
			_, _, err := f.Nodes(f.ctx(), owner, id, 1, "", 0, 1)
			return err
		},
		"Node": func(owner, id uuid.UUID) error { _, err := f.Node(f.ctx(), owner, id, 1, "yard"); return err },
		"CreateNode": func(owner, id uuid.UUID) error {
			_, err := f.CreateNode(f.ctx(), owner, id, 2, scene("yard"))
			return err
		},
		"UpdateNode": func(owner, id uuid.UUID) error {
			_, err := f.UpdateNode(f.ctx(), owner, id, 2, "yard", 1, scenario.NodeContent{Kind: "scene", Title: "T"})
			return err
		},
		"DeleteNode": func(owner, id uuid.UUID) error { return f.DeleteNode(f.ctx(), owner, id, 2, "yard", 1) },
	}
	f.unchanged("another owner", func() {
		for name, call := range calls {
			unknown := call(bob, uuid.New())
			refused(t, name, unknown, fault.NotFound, "there is no such scenario")
			if theirs := call(bob, tale); theirs == nil || theirs.Error() != unknown.Error() || fault.CodeOf(theirs) != fault.NotFound {
				t.Errorf("%s: %v of another's, %v of none", name, theirs, unknown)
			}
		}
	})
	if total, list, err := f.List(f.ctx(), bob, 0, 10); total != 0 || len(list) != 0 || err != nil {
		t.Errorf("List: %d, %+v, %v", total, list, err)
	}
}
