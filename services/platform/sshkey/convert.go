package sshkey

import (
	"encoding/json"
	"net/http"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

func keyTo(k Key) platformapi.SshKeyModel {
	return platformapi.SshKeyModel{
		ID: k.ID.String(), Name: k.Name, Algorithm: platformapi.KeyAlgorithmModel(k.Type), Bits: int64(k.Bits),
		Fingerprint: k.Fingerprint, PublicKey: k.Line, Comment: k.Comment,
		Revision: k.Revision, CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt,
	}
}

func keysTo(keys []Key, next *string) platformapi.SshKeyPageModel {
	m := platformapi.SshKeyPageModel{Items: make([]platformapi.SshKeyModel, len(keys)), NextCursor: next}
	for i, k := range keys {
		m.Items[i] = keyTo(k)
	}
	return m
}

// outcome is the reply to a command that tells what became of it, at the
// status that it has.
type outcome command.Outcome

func (o outcome) write(w http.ResponseWriter) error {
	m := platformapi.CommandOutcomeModel{
		AggregateID: o.ID.String(), Version: o.Version, Status: platformapi.CommandStatusModelApplied,
	}
	if o.Rejection != "" {
		reason := platformapi.RejectionModel(o.Rejection)
		m.Status, m.Rejection = platformapi.CommandStatusModelRejected, &reason
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(o.Status)
	return json.NewEncoder(w).Encode(m)
}

// VisitAddSshKeyResponse writes the reply.
func (o outcome) VisitAddSshKeyResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitRenameSshKeyResponse writes the reply.
func (o outcome) VisitRenameSshKeyResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitDeleteSshKeyResponse writes the reply.
func (o outcome) VisitDeleteSshKeyResponse(w http.ResponseWriter) error { return o.write(w) }
