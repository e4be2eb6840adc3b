package simulator

import (
	"encoding/json"
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

// head begins every result.
func (s *Service) head() []byte {
	b := append([]byte(`{"api_version":1,"lifecycle":"`), s.run.lifecycle()...)
	if s.run == nil {
		return append(b, `","run_id":null,"tick":null`...)
	}
	b = append(append(append(b, `","run_id":"`...), s.run.id...), `","tick":`...)
	return strconv.AppendInt(b, s.run.tick, 10)
}

// appendObservation appends the stored observation of the tick.
func (s *Service) appendObservation(b []byte) []byte {
	return append(append(b, `,"observation":`...), s.run.episode.Observation()...)
}

// appendPending appends the commands that wait for the next tick.
func (s *Service) appendPending(b []byte) []byte {
	b = append(b, `,"pending":[`...)
	for i, c := range s.run.episode.Pending() {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.run.episode.AppendCommand(b, c)
	}
	return append(b, ']')
}

// tokensNote stands beside the tokens of an outcome, which are never known.
const tokensNote = "participant-reported; the engine never measures tokens"

func appendOutcome(b []byte, e *engine.Episode) []byte {
	o := e.Outcome()
	b = append(append(append(b, `{"terminal_reason":"`...), e.TerminalReason()...), `","casualties":`...)
	b = strconv.AppendInt(b, o.Casualties, 10)
	b = strconv.AppendInt(append(b, `,"buildings_lost":`...), o.BuildingsLost, 10)
	return append(b, `,"tokens":null,"tokens_note":"`+tokensNote+`"}`...)
}

// appendScenario appends what is public of a scenario.
func appendScenario(b []byte, s engine.Scenario) []byte {
	text, err := json.Marshal(struct {
		ID          string `json:"scenario_id"`
		Title       string `json:"title"`
		Stage       int    `json:"difficulty_stage"`
		MapID       string `json:"map_id"`
		TickLimit   int64  `json:"tick_limit"`
		DefaultSeed int64  `json:"default_seed"`
		Description string `json:"public_description"`
	}{s.ID, s.Template.Title, s.Template.Stage, s.MapID, engine.TickLimit, s.Template.Seed, s.Template.Description})
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(b, text...)
}
