package command

import (
	"encoding/json"
	"net/http"

	"github.com/pharos-mcp/pharos/generated/platformapi"
)

// Write replies with what became of a command, at the status that it has. The
// detail says more about a rejection, where an owner's API has a place for it;
// else it is "".
func (o Outcome) Write(w http.ResponseWriter, detail string) error {
	m := struct {
		platformapi.CommandOutcomeModel
		Detail string `json:"detail,omitempty"`
	}{platformapi.CommandOutcomeModel{AggregateID: o.ID.String(), Version: o.Version}, detail}
	switch {
	case o.Rejection != "":
		reason := platformapi.RejectionModel(o.Rejection)
		m.Status, m.Rejection = platformapi.CommandStatusModelRejected, &reason
	case o.Pending:
		m.Status = platformapi.CommandStatusModelAccepted
	default:
		m.Status = platformapi.CommandStatusModelApplied
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(o.Status)
	return json.NewEncoder(w).Encode(m)
}
