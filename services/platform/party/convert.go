package party

import (
	"encoding/hex"
	"net/http"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

func myPartyTo(p Party) platformapi.MyPartyModel {
	return platformapi.MyPartyModel{
		ID: p.ID.String(), Username: p.Username, DisplayName: p.DisplayName, Email: p.Email, Affiliation: p.Affiliation,
		Operator: p.Operator, AuthVersion: p.AuthVersion, Revision: p.Revision, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

func peerTo(p Peer) platformapi.PartyModel {
	return platformapi.PartyModel{
		ID: p.ID.String(), Username: p.Username, DisplayName: p.DisplayName, Affiliation: p.Affiliation,
	}
}

// outcome is the reply to a command that tells no more than what became of it.
type outcome command.Outcome

// VisitUpdateMyPartyResponse implements platformapi.UpdateMyPartyResponseObject.
func (o outcome) VisitUpdateMyPartyResponse(w http.ResponseWriter) error {
	return command.Outcome(o).Write(w, "")
}

func acceptanceTo(a Acceptance) platformapi.AupAcceptanceModel {
	return platformapi.AupAcceptanceModel{
		Version: a.Version, Digest: hex.EncodeToString(a.Digest), AcceptedAt: a.AcceptedAt, WithdrawnAt: a.WithdrawnAt,
		Identity: platformapi.IdentityModel{
			Issuer: a.Identity.Issuer, Subject: a.Identity.Subject, VopersonID: a.Identity.VopersonID,
		},
	}
}

func versionTo(p Policy) platformapi.AupVersionModel {
	return platformapi.AupVersionModel{
		Version: p.Version, Title: p.Title, Digest: hex.EncodeToString(p.Digest), Current: p.Current,
		EffectiveAt: p.EffectiveAt, PublishedAt: p.PublishedAt,
	}
}

func textTo(p Policy) platformapi.AupTextModel {
	return platformapi.AupTextModel{
		Version: p.Version, Title: p.Title, Text: p.Text, Digest: hex.EncodeToString(p.Digest), Current: p.Current,
		EffectiveAt: p.EffectiveAt, PublishedAt: p.PublishedAt,
	}
}
