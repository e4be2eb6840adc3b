package simulator

import (
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Snapshot is what the display shows, as JSON: the last run, by the policy of its
// scenario. Under full_state it has the truth of this moment, under public_only
// what a controller sees, and under neither anything of the future, of what
// reports withhold or of the controller. It takes no lease and changes nothing.
func (s *Service) Snapshot() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := strconv.AppendInt([]byte(`{"api_version":1,"display_revision":`), s.revision, 10)
	r := s.shown
	if r == nil {
		return append(b, `,"lifecycle":"lobby","run_id":null}`...)
	}
	e := r.episode
	b = append(append(b, `,"lifecycle":"`...), r.shownAs(s.run)...)
	b = append(append(append(b, `","run_id":"`...), r.id...), `","scenario_id":"`...)
	b = append(append(append(b, e.Scenario().ID...), `","map_id":"`...), e.Scenario().MapID...)
	b = strconv.AppendInt(append(b, `","tick":`...), e.Tick(), 10)
	b = strconv.AppendInt(append(b, `,"tick_limit":`...), engine.TickLimit, 10)
	o := e.Outcome()
	b = strconv.AppendInt(append(b, `,"metrics":{"casualties":`...), o.Casualties, 10)
	b = strconv.AppendInt(append(b, `,"buildings_lost":`...), o.BuildingsLost, 10)
	b = append(r.tokens.append(append(b, `},"tokens":`...)), `,"vision_radius":`...)
	b = geo.AppendTenths(b, engine.Vision)
	b = e.AppendVehicles(append(b, `,"vehicles":`...))
	b = e.AppendFireETA(append(b, `,"fire_eta":`...))
	b = append(b, `,"pending":[`...)
	for i, c := range e.Pending() {
		if i > 0 {
			b = append(b, ',')
		}
		b = e.AppendOrder(b, c)
	}
	b = e.AppendContacts(append(b, `],"contacts":`...))
	if e.Scenario().Template.FullState {
		b = e.AppendState(append(b, `,"display_policy":"full_state","truth":{"buildings":`...))
		return append(b, "}}"...)
	}
	return append(b, `,"display_policy":"public_only","truth":null}`...)
}

// shownAs is the lifecycle of a run for the display, where one that was given
// up can still be looked at.
func (r *run) shownAs(held *run) string {
	if r != held && r.episode.Lifecycle() == "running" {
		return "aborted"
	}
	return r.lifecycle()
}

func (t tokens) append(b []byte) []byte {
	b = t.Intake.append(append(b, `{"intake":`...))
	return append(t.Dispatch.append(append(b, `,"dispatch":`...)), '}')
}

func (c tokenCount) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"read":`...), c.Read, 10)
	b = strconv.AppendInt(append(b, `,"write":`...), c.Write, 10)
	return append(strconv.AppendInt(append(b, `,"cache_read":`...), c.CacheRead, 10), '}')
}
