package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge/token"
)

// metadataPath is where clients look for what protects a resource (RFC 9728);
// the path of the resource stands behind it.
const metadataPath = "/.well-known/oauth-protected-resource"

// OAuth authenticates the access tokens of one broker, by keys that are
// enrolled here and never fetched (E-22 to E-25).
type OAuth struct {
	trust    token.Trust
	metadata string
	scopes   []string // of a member: what a first challenge asks for
	verified verified
}

// NewOAuth returns an authenticator for tokens that the broker signed for the
// resource, the exact URL of the MCP endpoint. A challenge to a caller without
// one asks for scopes.
func NewOAuth(trust token.Trust, scopes []string) (*OAuth, error) {
	u, err := url.Parse(trust.Audience)
	if err != nil || u.Host == "" || len(u.Path) < 2 || strings.HasSuffix(u.Path, "/") || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the resource %q is not the URL of an MCP endpoint, such as https://host/mcp", trust.Audience)
	}
	metadata := u.Scheme + "://" + u.Host + metadataPath + u.EscapedPath()
	return &OAuth{trust: trust, metadata: metadata, scopes: scopes}, nil
}

// Authenticate takes the one bearer token of the Authorization header. Where
// else a token may stand (RFC 6750), none is taken. Every bad token is answered
// alike; why is for the log.
func (o *OAuth) Authenticate(r *http.Request) (*Principal, error) {
	compact, given := Bearer(r)
	if !given {
		return nil, &Refusal{
			Status: http.StatusUnauthorized, Message: "an access token is needed",
			Challenge: Challenge{Scopes: o.scopes, ResourceMetadata: o.metadata}.String(),
		}
	}
	access, err := o.verified.access(o.trust, compact)
	if err != nil {
		return nil, o.Invalid(err)
	}
	return &Principal{Subject: access.Party + " " + access.ClientID, Scopes: access.Scopes, Identity: access}, nil
}

// Invalid is the refusal of a token that is not, or no longer, valid.
func (o *OAuth) Invalid(reason error) *Refusal {
	return &Refusal{
		Status: http.StatusUnauthorized, Message: "the access token is not valid", Reason: reason,
		Challenge: Challenge{Error: "invalid_token", Scopes: o.scopes, ResourceMetadata: o.metadata}.String(),
	}
}

// disown refuses the caller's token where the API did: the authority that it
// carries is not the person's any more, and a client that asks for a new one
// gets it. Nothing was done.
func (s *Server) disown(ctx context.Context, r *request, e *entry, o *outcome) {
	broker, ok := s.auth.(*OAuth)
	if !ok || o.status != http.StatusUnauthorized || !slices.Contains(s.asserting, e.operation.Document) {
		return
	}
	s.log.WarnContext(ctx, "the API refused the caller's authority", "tool", e.operation.Tool)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused = broker.Invalid(nil)
}

// ResourceMetadata is the URL of the document that Metadata serves.
func (o *OAuth) ResourceMetadata() string { return o.metadata }

// resourceMetadata is RFC 9728, section 2.
type resourceMetadata struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
	Methods  []string `json:"bearer_methods_supported"`
	Name     string   `json:"resource_name,omitempty"`
}

// beside answers requests for the resource's metadata, at its own path and at
// the root, to anybody and to scripts of any page; others go on to next. What a
// request says of its host changes nothing.
func (o *OAuth) beside(name string, next http.Handler) http.Handler {
	text, err := json.Marshal(resourceMetadata{
		Resource: o.trust.Audience, Servers: []string{o.trust.Issuer}, Scopes: o.scopes, Methods: []string{"header"}, Name: name,
	})
	if err != nil {
		panic(err) // strings
	}
	u, _ := url.Parse(o.metadata) // made of a URL
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != metadataPath && r.URL.Path != u.Path {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			h.Set("Content-Type", "application/json")
			h.Set("Cache-Control", "public, max-age=300")
			_, _ = w.Write(text)
		case http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", "GET")
			h.Set("Access-Control-Allow-Headers", "MCP-Protocol-Version")
			w.WriteHeader(http.StatusNoContent)
		default:
			h.Set("Allow", "GET, OPTIONS")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		}
	})
}

// Broker says whose access tokens are taken. All of it is needed.
type Broker struct {
	// Issuer is the broker's URL, as its tokens spell it.
	Issuer string `json:"issuer"`
	// KeysFile holds the broker's public keys, a JWK set.
	KeysFile string `json:"keys_file"`
	// Resource is the URL of this MCP endpoint as clients use it: the only
	// audience of tokens that are taken.
	Resource string `json:"resource"`
}

// authenticator reads the enrolled keys. Its error says all that is wrong but
// for what is missing, which check says.
func (b Broker) authenticator(scopes []string) (o *OAuth, err error) {
	var keys token.Keys
	if b.KeysFile != "" {
		if keys, err = readKeys(b.KeysFile); err != nil {
			err = fmt.Errorf("keys_file: %w", err)
		}
	}
	if b.Resource == "" {
		return nil, err
	}
	o, wrong := NewOAuth(token.Trust{Keys: keys, Issuer: b.Issuer, Audience: b.Resource}, scopes)
	return o, errors.Join(err, wrong)
}

func readKeys(file string) (token.Keys, error) {
	text, err := readKeyFile(file)
	if err != nil {
		return token.Keys{}, err
	}
	return token.ParseKeys(text)
}

// readKeyFile reads a file of keys: a regular one, of at most 16 KiB.
func readKeyFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSecret {
		return nil, errors.New("a file of keys is a regular file of at most 16 KiB")
	}
	return os.ReadFile(file)
}

// check reports what is missing.
func (b Broker) check(ps *Problems) {
	for _, member := range []struct{ name, value string }{
		{"issuer", b.Issuer}, {"keys_file", b.KeysFile}, {"resource", b.Resource},
	} {
		if member.value == "" {
			ps.addf("authentication.broker.%s: is needed in mode oauth", member.name)
		}
	}
}

// place is the member of a configuration that the authenticator is made from.
func (a Authentication) place() string {
	if a.Mode == modeOAuth {
		return "broker"
	}
	return "token_file"
}
