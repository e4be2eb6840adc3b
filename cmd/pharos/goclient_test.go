package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// goClient is go-sdk's client with its own authorization, which a person
// answers. Its exported parts are go-sdk's: nothing of the flow is done here.
type goClient struct {
	*mcp.ClientSession
	person *person
	log    *requests

	mu     sync.Mutex
	tokens *tokens // of the last authorization
}

// errDenied is what the client makes of a person's no.
var errDenied = errors.New("denied")

// way is how a client speaks and becomes known.
type way struct {
	era string // of the protocol; "" leaves it to the client
	id  string // of a metadata document, or "" for a client that registers itself
}

// connectGo connects to a server as one person.
func connectGo(t *testing.T, a machine, p *person, w way) (*goClient, error) {
	t.Helper()
	c := &goClient{person: p, log: &requests{}}
	recorded := &http.Client{Transport: c.log}
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: returnURL, Client: recorded, NewTokenSource: c.keep, AuthorizationCodeFetcher: c.fetch,
	}
	if w.id != "" {
		config.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: w.id}
	} else {
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{ClientName: "go-sdk", RedirectURIs: []string{returnURL}},
		}
	}
	handler, err := auth.NewAuthorizationCodeHandler(config)
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	c.ClientSession, err = client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: a.url, HTTPClient: recorded, OAuthHandler: handler, DisableStandaloneSSE: true, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: w.era})
	if err == nil {
		t.Cleanup(func() { _ = c.Close() })
	}
	return c, err
}

// fetch opens the browser.
func (c *goClient) fetch(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	answer, err := c.person.open(args.URL)
	switch {
	case err != nil:
		return nil, err
	case answer.Get("error") == "access_denied":
		return nil, errDenied
	case answer.Has("error"):
		return nil, fmt.Errorf("the client is answered %v", answer)
	}
	return &auth.AuthorizationResult{Code: answer.Get("code"), State: answer.Get("state"), Iss: answer.Get("iss")}, nil
}

// keep remembers the tokens of an authorization.
func (c *goClient) keep(ctx context.Context, config *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens = &tokens{ctx: ctx, config: config, source: config.TokenSource(ctx, t), last: t}
	return c.tokens, nil
}

func (c *goClient) held() *tokens {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tokens
}

// tokens is x/oauth2's source of tokens, which a test can make old.
type tokens struct {
	ctx    context.Context
	config *oauth2.Config

	mu     sync.Mutex
	source oauth2.TokenSource
	last   *oauth2.Token
}

// Token implements oauth2.TokenSource.
func (s *tokens) Token() (*oauth2.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.source.Token()
	if err == nil {
		s.last = t
	}
	return t, err
}

// present is the token of the moment.
func (s *tokens) present() *oauth2.Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// age lets the access token be past its time, as the client sees it.
func (s *tokens) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := *s.last
	old.Expiry = time.Now().Add(-time.Minute)
	s.source = s.config.TokenSource(s.ctx, &old)
}

// requests are what a client sent, and how it was answered.
type requests struct {
	mu   sync.Mutex
	list []string
}

// RoundTrip implements http.RoundTripper.
func (l *requests) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.list = append(l.list, fmt.Sprintf("%s %s %d", r.Method, r.URL.Path, reply.StatusCode))
	}
	return reply, err
}

// taken gives them and forgets them.
func (l *requests) taken() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list = nil
	return list
}
