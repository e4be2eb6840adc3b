package playtest

import "flag"

var (
	// long makes the tests take their time.
	long = flag.Bool("long", false, "wait for what is shortened otherwise, and repeat what is done a few times")
	// rounds is how many connections are cut while they commit.
	rounds = flag.Int("race-rounds", 20, "how many connections are cut while they commit")
)

// needsTime skips a test that takes longer than a short run may.
func needsTime(t interface {
	Helper()
	Skip(...any)
}) {
	t.Helper()
	if !*long {
		t.Skip("it waits: run it with -long, as make test-long does")
	}
}
