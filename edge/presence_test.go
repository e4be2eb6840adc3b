package edge

import "testing"

// TestLoseComesTooLate: a client that came back as its time ran out keeps its
// session. There is no SDK session here to be closed.
func TestLoseComesTooLate(t *testing.T) {
	t.Parallel()
	for _, s := range []*Session{{broken: true, active: 1}, {broken: false}} {
		s.lose()
		if s.why != "" {
			t.Errorf("a session that is there ended: %s", s.why)
		}
	}
}
