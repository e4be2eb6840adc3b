package sshkey

import (
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

// outcome is the reply to a command that tells no more than what became of it.
type outcome command.Outcome

func (o outcome) write(w http.ResponseWriter) error { return command.Outcome(o).Write(w, "") }

// VisitAddSshKeyResponse implements platformapi.AddSshKeyResponseObject.
func (o outcome) VisitAddSshKeyResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitRenameSshKeyResponse implements platformapi.RenameSshKeyResponseObject.
func (o outcome) VisitRenameSshKeyResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitDeleteSshKeyResponse implements platformapi.DeleteSshKeyResponseObject.
func (o outcome) VisitDeleteSshKeyResponse(w http.ResponseWriter) error { return o.write(w) }
