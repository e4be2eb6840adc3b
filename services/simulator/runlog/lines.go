package runlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

// Version is that of the form of the lines.
const Version = 1

// Neutral is the run id under which observations are hashed, so that the same
// episode has the same hashes whatever its run is called.
const Neutral = "run"

// Header is the first line.
type Header struct {
	Type       string `json:"type"` // "header"
	LogVersion int    `json:"log_version"`
	RunID      string `json:"run_id"`
	ScenarioID string `json:"scenario_id"`
	Seed       int64  `json:"seed"`
	Mechanics  int    `json:"mechanics_version"`
	MapID      string `json:"map_id"`
	MapSHA256  string `json:"map_sha256"`
	Constants  string `json:"constants_sha256"`
}

// HeaderOf is that of an episode.
func HeaderOf(runID string, e *engine.Episode) Header {
	s := e.Scenario()
	return Header{
		Type: "header", LogVersion: Version, RunID: runID, ScenarioID: s.ID, Seed: e.Seed(), Mechanics: engine.Mechanics,
		MapID: s.MapID, MapSHA256: city.SHA256(s.MapID), Constants: engine.ConstantsSHA256(),
	}
}

// line is the header as a line.
func (h Header) line() []byte {
	b, err := json.Marshal(h)
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(b, '\n')
}

// tickLine is what the last step of an episode did, or what begins with tick 0.
func tickLine(runID string, e *engine.Episode, r engine.Result) []byte {
	b := strconv.AppendInt([]byte(`{"type":"tick","tick":`), e.Tick(), 10)
	b = append(b, `,"commands":[`...)
	for i, c := range r.Commands {
		b = comma(b, i)
		b = e.AppendCommand(b, c)
	}
	b = append(b, `],"contacts":[`...)
	for i, c := range e.Delivered() {
		b = engine.AppendContact(comma(b, i), c)
	}
	b = append(b, `],"events":[`...)
	for i, event := range r.Events {
		b = fmt.Appendf(comma(b, i), `{"type":%q,"vehicle_id":%q}`, event.Type, event.Vehicle)
	}
	b = append(b, `],"changes":[`...)
	for i, c := range r.Changes {
		b = engine.AppendChange(comma(b, i), c)
	}
	b = e.AppendVehicles(append(b, `],"vehicles":`...))
	b = append(append(append(b, `,"observation_sha256":"`...), digest(runID, e)...), `"}`...)
	return append(b, '\n')
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// digest is that of the observation under the neutral run id, with which it
// begins.
func digest(runID string, e *engine.Episode) string {
	const before = `{"observation_id":"`
	h := sha256.New()
	h.Write([]byte(before + Neutral))
	h.Write(e.Observation()[len(before)+len(runID):])
	return hex.EncodeToString(h.Sum(nil))
}

// endLine is the last line: the truth, and every contact with its claim and
// label. The reason is that of an episode that is over, or
// why it was given up: "aborted", or "aborted:" and more.
func endLine(e *engine.Episode, reason string) []byte {
	o := e.Outcome()
	b := fmt.Appendf(nil, `{"type":"end","reason":%q,"tick":%d,"casualties":%d,"buildings_lost":%d,"truth":`,
		reason, e.Tick(), o.Casualties, o.BuildingsLost)
	b = append(e.AppendTruth(b), `,"contacts":[`...)
	for i, c := range e.Told() {
		b = engine.AppendContact(comma(b, i), c)
	}
	return append(b, "]}\n"...)
}
