package wiretest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/wiretest/generated/wire"
)

// eras are the two ways of speaking MCP that clients use.
var eras = []string{"2025-11-25", "2026-07-28"}

// quiet is the log of servers whose connections are broken on purpose.
var quiet = log.New(io.Discard, "", 0)

// callers knows callers by their tokens, which are their names with a prefix.
type callers struct{}

const tokenOf = "token-of-"

func (callers) Authenticate(r *http.Request) (*edge.Principal, error) {
	name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "+tokenOf)
	if !ok {
		return nil, &edge.Refusal{Status: http.StatusUnauthorized, Challenge: "Bearer", Message: "who is it?"}
	}
	return &edge.Principal{Subject: name, Scopes: []string{"wire:read", "wire:write"}}, nil
}

func (callers) ResourceMetadata() string { return "" }

// newEdge serves the catalog in front of an upstream, or of the options' own
// exchange. It is a server of its own, with a listener.
func newEdge(t testing.TB, u *upstream, config edge.Config, options edge.Options) *httptest.Server {
	t.Helper()
	if u != nil {
		up := config.Upstreams["wire"]
		up.URL = u.URL + "/api"
		config.Upstreams = map[string]edge.Upstream{"wire": up}
	}
	options.Authenticator = callers{}
	options.Log = cmp.Or(options.Log, slog.New(slog.DiscardHandler))
	s, err := edge.New(config, wire.Catalog(), options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = quiet
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// bearer is a client's transport for one caller.
type bearer struct {
	name string
	http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+tokenOf+b.name)
	return b.RoundTripper.RoundTrip(r)
}

// connect is go-sdk's own client. Its connections are gone with the test.
func connect(t testing.TB, server *httptest.Server, era, caller string) *mcp.ClientSession {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer{caller, transport}}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		transport.CloseIdleConnections()
	})
	return session
}

// envelope is what a client receives of a call.
type envelope struct {
	OperationID string          `json:"operation_id"`
	Status      int             `json:"status"`
	Result      json.RawMessage `json:"result"`
	Error       *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Unknown bool   `json:"outcome_unknown"`
	} `json:"error"`
	failed bool // the MCP error flag
	all    string
}

// String is the envelope in short: "STATUS RESULT", with a ! where it has the
// error flag, or "! STATUS CODE", and a ? where the outcome is unknown.
func (e envelope) String() string {
	flag := ""
	if e.failed {
		flag = "! "
	}
	switch {
	case e.Error != nil && e.Error.Unknown:
		return fmt.Sprintf("%s%d %s ?", flag, e.Status, e.Error.Code)
	case e.Error != nil:
		return fmt.Sprintf("%s%d %s", flag, e.Status, e.Error.Code)
	default:
		return strings.TrimSpace(fmt.Sprintf("%s%d %s", flag, e.Status, e.Result))
	}
}

// call calls a tool and reads its envelope, which must be the same twice.
func call(t testing.TB, session *mcp.ClientSession, name, arguments string) (e envelope, err error) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return e, err
	}
	if len(result.Content) != 1 {
		return e, fmt.Errorf("%d contents", len(result.Content))
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return e, fmt.Errorf("content is a %T", result.Content[0])
	}
	var twice any
	if err := json.Unmarshal([]byte(text.Text), &twice); err != nil {
		return e, err
	}
	if diff := gocmp.Diff(twice, result.StructuredContent); diff != "" {
		return e, errors.New("structured content is not the text:\n" + diff)
	}
	if err := json.Unmarshal([]byte(text.Text), &e); err != nil {
		return e, err
	}
	if e.OperationID == "" || (e.Error != nil && e.Result != nil) || (e.Error != nil && !result.IsError) {
		return e, fmt.Errorf("isError %v beside %s", result.IsError, text.Text)
	}
	e.failed, e.all = result.IsError, text.Text
	return e, nil
}
