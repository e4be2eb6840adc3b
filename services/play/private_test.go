package play_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// TestNothingPrivate: what is the game master's alone reaches no player, by no
// tool and no route, whether it succeeds or fails. The canary stands in the
// notes, in a node that is not published, in the scenario's summary and in the
// wiki.
//
// clause: P-10, P-45, P-51
func TestNothingPrivate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seat := w.assign(t)
	_, err := wiki.New(wiki.Config{Pool: w.pool}).Create(t.Context(), w.greta.ID, canary, canary, canary)
	if err != nil {
		t.Fatal(err)
	}
	x := w.players(t, seat)
	said := map[string]string{}
	call := func(tool string, arguments object) {
		result, err := x.call(t, tool, arguments)
		said[fmt.Sprintf("%s %v", tool, arguments)] = fmt.Sprint(result, err)
	}
	call("commit_play_turn", turn(1))
	call("get_play_context", object{})
	call("read_play_journal", object{})
	call("search_play_memory", object{"query": canary[:3]})
	call("search_play_memory", object{"query": "cellar"})
	unpublished := turn(2)
	unpublished["current_scene"] = "cellar"
	call("commit_play_turn", unpublished)
	call("finish_play_session", object{"operation_id": uuid.NewString(), "expected_version": 9, "summary": "x"})

	url := w.serve(t)
	path := "/api/plays/" + seat.AssignmentID.String() + "/"
	for _, who := range []string{"adam", "sten"} {
		p := as(t, url, who)
		for _, part := range []string{"", "journal/", "consequences/", "report/", "report/?lang=pl"} {
			said[who+" GET "+part] = p.send(t, "GET", path+part, nil).text
		}
		said[who+" lists"] = p.send(t, "GET", "/api/plays/", nil).text
		n := w.newPlay()
		delete(n, "gm_notes")
		n["published_node_ids"] = []string{"cellar"}
		said[who+" assigns another's scenario"] = p.send(t, "POST", "/api/plays/", n).text
		n["id"] = seat.AssignmentID.String()
		said[who+" assigns under a taken id"] = p.send(t, "POST", "/api/plays/", n).text
		said[who+" reviews"] = p.send(t, "POST", path+"review/", object{
			"operation_id": uuid.NewString(), "expected_version": 2, "decisions": []object{{"id": uuid.NewString(), "decision": "approved"}},
		}).text
	}
	for what, text := range said {
		if text == "" || strings.Contains(text, canary) {
			t.Errorf("%s says %q", what, text)
		}
	}
	greta := as(t, url, "greta")
	for _, part := range []string{"", "report/"} {
		if text := greta.send(t, "GET", path+part, nil).text; !strings.Contains(text, canary) {
			t.Errorf("the game master does not see the notes at %q: %s", part, text)
		}
	}
}
