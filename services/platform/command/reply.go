package command

import (
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/platformapi"
)

// reply is the CommandOutcome of the API. The outcomes of pipelines and runs
// have the detail beside it.
type reply struct {
	AggregateID uuid.UUID                      `json:"aggregateId"`
	Detail      string                         `json:"detail,omitempty"`
	Rejection   Rejection                      `json:"rejection,omitempty"`
	Status      platformapi.CommandStatusModel `json:"status"`
	Version     int64                          `json:"version"`
}

// Write replies with what became of a command, at the status that it has. The
// detail says more about a rejection, where the API has a place for it; else it
// is "".
func (o Outcome) Write(w http.ResponseWriter, detail string) error {
	r := reply{o.ID, detail, o.Rejection, platformapi.CommandStatusModelApplied, o.Version}
	switch {
	case o.Rejection != "":
		r.Status = platformapi.CommandStatusModelRejected
	case o.Pending:
		r.Status = platformapi.CommandStatusModelAccepted
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(o.Status)
	return json.NewEncoder(w).Encode(r)
}
