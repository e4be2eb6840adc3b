package edge

import (
	"encoding/json"
	"fmt"
	"time"
)

// Config is the configuration of an edge, as JSON. The zero value serves a
// catalog without upstreams on loopback, behind a token made at start. Unknown
// members are refused. Secrets are named by file, never written here; relative
// names are relative to the configuration file.
type Config struct {
	// Listen is the address for MCP clients: host and port. Empty means
	// 127.0.0.1:8080.
	Listen string `json:"listen,omitempty"`
	// Path is where MCP is served. Empty means /mcp.
	Path string `json:"path,omitempty"`
	// Hosts are the host names, without a port, that clients use for this
	// server. The loopback names are always among them; a server that listens
	// elsewhere needs at least one.
	Hosts []string `json:"hosts,omitempty"`
	// Origins are the origins of browser pages that may call, such as
	// "https://app.example.org". Pages of the server's own origin always may.
	Origins []string `json:"origins,omitempty"`
	// Proxies are the addresses, such as 127.0.0.1, and networks, such as
	// 10.0.0.0/8, of the proxies in front, whose X-Forwarded-For says where a
	// request comes from. Empty believes nobody: a client is who connects.
	Proxies []string `json:"proxies,omitempty"`
	// Body is the most bytes of a request's body. Zero means 1 MiB, or the
	// catalog's bound on arguments and 64 KiB where that is more.
	Body int64 `json:"body,omitempty"`
	// Arrival bounds the time for a request's body to arrive. Zero means 10s.
	Arrival Duration `json:"arrival,omitzero"`
	// StrictText refuses a request with the character U+0000 or half of a
	// surrogate pair in any string, which no database keeps: status 400. Otherwise
	// that is for the API to judge.
	StrictText bool `json:"strict_text,omitempty"`
	// Authentication says how callers are known. Its zero value asks for a
	// token that is made at start and printed once.
	Authentication Authentication `json:"authentication,omitzero"`
	// Upstreams says where each document's API is, by the document's name in
	// the manifest. Every document of the catalog needs one.
	Upstreams map[string]Upstream `json:"upstreams,omitempty"`
	// Admission bounds how much is served at a time and in a time. Its zero value
	// is for one process and few callers.
	Admission Admission `json:"admission,omitzero"`
	// Timeout bounds one tool call from start to end. Zero means 60s.
	Timeout Duration `json:"timeout,omitzero"`
	// Shutdown bounds how long a stopping server waits for calls in flight; what
	// is not done then is cut off, so it should be no less than Timeout. Zero
	// means 30s.
	Shutdown Duration `json:"shutdown,omitzero"`
	// Notice is how long a stopping server goes on accepting calls while /readyz
	// says no already, so that a load balancer finds out. Zero is not at all.
	Notice Duration `json:"notice,omitzero"`
	// Observe says what is told of calls beside the log. Its zero value is
	// nothing.
	Observe Observe `json:"observe,omitzero"`
	// Instructions are added to those that clients show to their model. Empty
	// adds nothing.
	Instructions string `json:"instructions,omitempty"`
}

// Authentication says how callers are known.
type Authentication struct {
	// Mode is "oauth", access tokens of a broker; "token", one shared development
	// token; or "anonymous", for listeners on loopback only. Empty means token.
	Mode string `json:"mode,omitempty"`
	// Broker says whose access tokens mode oauth takes.
	Broker Broker `json:"broker,omitzero"`
	// TokenFile holds the token. Empty means: make one at start and print it.
	TokenFile string `json:"token_file,omitempty"`
	// Scopes are what a caller is granted; with a broker, what a caller without
	// a token is told to ask for. Empty means every scope of the catalog, and
	// with a broker all but those for operators.
	Scopes []string `json:"scopes,omitempty"`
}

// Upstream says where one document's API is and with what it is called.
type Upstream struct {
	// URL is the origin and base path: "https://api.example.org/v2". It has no
	// zero value: a document's own servers are never used (E-54).
	URL string `json:"url"`
	// Timeout bounds one request. Zero means 30s.
	Timeout Duration `json:"timeout,omitzero"`
	// Credentials names, for each security scheme of the document that is to
	// be used, the file that holds its secret: the token or key, or user:password
	// for the Basic scheme. Empty sends none.
	Credentials map[string]string `json:"credentials,omitempty"`
	// Assertion says how calls carry their caller's authority to an API of
	// pharos's kind. Its zero value carries none. It needs callers with access
	// tokens of a broker, and takes the place of Credentials.
	Assertion Assertion `json:"assertion,omitzero"`
}

// Duration is a time.Duration written as "30s" or "1m30s".
type Duration time.Duration

// UnmarshalJSON reads a duration that is not negative.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf(`a duration is a string such as "30s", not %s`, data)
	}
	parsed, err := time.ParseDuration(text)
	if err != nil || parsed < 0 {
		return fmt.Errorf(`a duration is written like "30s" or "1m30s", not %q`, text)
	}
	*d = Duration(parsed)
	return nil
}

// MarshalJSON writes the duration as it is read.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// The values that stand for a zero one.
const (
	defaultListen  = "127.0.0.1:8080"
	defaultPath    = "/mcp"
	defaultTimeout = 60 * time.Second
)

// withDefaults puts the defaults where the configuration says nothing.
func (c Config) withDefaults() Config {
	if c.Listen == "" {
		c.Listen = defaultListen
	}
	if c.Path == "" {
		c.Path = defaultPath
	}
	if c.Timeout == 0 {
		c.Timeout = Duration(defaultTimeout)
	}
	if c.Shutdown == 0 {
		c.Shutdown = Duration(shutdownTime)
	}
	if c.Authentication.Mode == "" {
		c.Authentication.Mode = modeToken
	}
	c.Admission = c.Admission.withDefaults()
	return c
}
