package broker

import (
	"errors"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// metadataDocument is what of a document means something here.
type metadataDocument struct {
	ID             *string  `json:"client_id"`
	Name           *string  `json:"client_name"`
	Redirects      []string `json:"redirect_uris"`
	Authentication *string  `json:"token_endpoint_auth_method"`
	Secret         any      `json:"client_secret"`
}

// readDocument judges a document that was fetched from id.
func readDocument(body []byte, id string, schemes []string) (Client, error) {
	var m metadataDocument
	if err := strictjson.Known(body, &m); err != nil {
		return Client{}, err
	}
	if m.ID == nil || *m.ID != id {
		return Client{}, errors.New("client_id is not its own URL")
	}
	if m.Secret != nil || m.Authentication != nil && *m.Authentication != "none" {
		return Client{}, errors.New("a client with a public document has no secret; token_endpoint_auth_method must be none")
	}
	if err := checkRedirects(m.Redirects, schemes); err != nil {
		return Client{}, err
	}
	name := ""
	if m.Name != nil {
		name = *m.Name
	}
	return Client{ID: id, Name: called(name, id), Redirects: m.Redirects}, nil
}
