package broker

import (
	"encoding/json"
	"slices"
)

// serverMetadata is RFC 8414, section 2, with what OpenID Connect Discovery
// requires of clients that look there first. No member is ever null.
type serverMetadata struct {
	Issuer                string   `json:"issuer"`
	Authorization         string   `json:"authorization_endpoint"`
	Token                 string   `json:"token_endpoint"`
	Registration          string   `json:"registration_endpoint,omitempty"`
	Revocation            string   `json:"revocation_endpoint"`
	JWKS                  string   `json:"jwks_uri"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	ResponseModes         []string `json:"response_modes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	TokenAuthentication   []string `json:"token_endpoint_auth_methods_supported"`
	RevokeAuthentication  []string `json:"revocation_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	IssuerInResponse      bool     `json:"authorization_response_iss_parameter_supported"`
	ClientDocuments       bool     `json:"client_id_metadata_document_supported"`
	RequestParameter      bool     `json:"request_parameter_supported"`
	RequestURIParameter   bool     `json:"request_uri_parameter_supported"`
	SubjectTypes          []string `json:"subject_types_supported"`
	IDTokenAlgorithms     []string `json:"id_token_signing_alg_values_supported"`
	ProtectedResourceURLs []string `json:"protected_resources"`
}

// metadataOf describes the broker out of its configuration alone: what a request
// says of its host changes nothing.
func metadataOf(c Config) ([]byte, error) {
	m := serverMetadata{
		Issuer:        c.Issuer,
		Authorization: c.Issuer + "/authorize", Token: c.Issuer + "/token", Revocation: c.Issuer + "/revoke", JWKS: c.Issuer + "/jwks",
		Scopes:        append(slices.Clone(c.Scopes.Member), offline),
		ResponseTypes: []string{"code"}, ResponseModes: []string{"query"},
		GrantTypes:          []string{"authorization_code", "refresh_token"},
		TokenAuthentication: []string{"none"}, RevokeAuthentication: []string{"none"}, ChallengeMethods: []string{"S256"},
		IssuerInResponse: true, ClientDocuments: !c.NoDocuments,
		SubjectTypes: []string{"public"}, IDTokenAlgorithms: []string{"EdDSA"},
		ProtectedResourceURLs: []string{c.Resource},
	}
	if !c.Closed {
		m.Registration = c.Issuer + "/register"
	}
	return json.Marshal(m)
}
