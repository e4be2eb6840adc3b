package play_test

import (
	"flag"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/internal/apifuzz"
)

var (
	fuzzRequests = flag.Int("api-requests", 1000, "how many requests TestAgainstDocument sends")
	fuzzSeed     = flag.Uint64("api-seed", 1, "the seed that TestAgainstDocument draws them from")
)

// TestAgainstDocument sends requests that are drawn from the REST interface's
// description, and holds every reply against it. It reaches a success of every
// operation but a review, which needs a turn to be about.
//
// clause: P-40
func TestAgainstDocument(t *testing.T) {
	t.Parallel()
	document, err := apifuzz.Load(os.DirFS("../../api/play"), "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	server := httptest.NewServer(w.service.Handler())
	t.Cleanup(server.Close)
	login := func(name string) func() map[string]string {
		cookie := as(t, server.URL, name).cookie
		return func() map[string]string { return map[string]string{"Cookie": cookie} }
	}
	sessions := []string{"logIn", "logOut"}
	report, err := apifuzz.Run(apifuzz.Config{
		Document: document, Seed: *fuzzSeed, Requests: *fuzzRequests, Origin: server.URL,
		Actors: []*apifuzz.Actor{
			{Name: "greta", Weight: 60, Header: login("greta"), Except: sessions},
			{Name: "adam", Weight: 20, Header: login("adam"), Except: sessions},
			{Name: "nobody", Weight: 10},
		},
		Send:  server.Client().Transport.RoundTrip,
		First: []string{"createPlay", "createAccess", "getPlay"},
		Rare:  []string{"logIn", "logOut"},
		Tune: map[string]func(*rand.Rand, *apifuzz.Memory, *apifuzz.Actor, map[string]any){
			"createPlay": func(r *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
				body["scenario_id"], body["source_version"] = w.scenario.String(), 1.
				body["player_username"] = []string{"adam", "greta"}[r.IntN(2)]
				body["published_node_ids"] = []any{"harbor", "mira"}
			},
			"logIn": func(_ *rand.Rand, _ *apifuzz.Memory, _ *apifuzz.Actor, body map[string]any) {
				body["username"], body["password"] = "sten", password
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d, %d requests\n%s", report.Seed, report.Sent, report.Table())
	for _, failure := range report.Failures {
		t.Errorf("seed %d, %v", report.Seed, failure)
	}
	missed := slices.DeleteFunc(report.Unreached(), func(op string) bool { return strings.HasPrefix(op, "reviewPlay") })
	if len(missed) > 0 && len(report.Failures) == 0 {
		t.Errorf("seed %d: no success of %v", report.Seed, missed)
	}
}
