package broker

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// Client is who asks for a grant. All are public: none has a secret.
type Client struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Redirects []string `json:"redirect_uris"`
}

// maxClientID bounds a client id in bytes: it is a claim of every access token.
const maxClientID = maxText

var errUnknownClient = errors.New("the client is not known here")

// client finds a client by its id: one of the configuration, one that
// registered itself, or one whose id is the URL of its metadata document, which
// is read at the wish of an address. The error wraps errUnknownClient, or says
// that it may be found out later.
func (b *Broker) client(ctx context.Context, id, address string) (Client, error) {
	if c, ok := b.configured(id); ok {
		return c, nil
	}
	if b.isDocument(id) {
		return b.documents.client(ctx, id, address)
	}
	return b.registered(ctx, id)
}

// knows finds out whether a client may use the endpoints for programs. What it
// redeems there is bound to its id, so that no document has to be read again.
func (b *Broker) knows(ctx context.Context, id string) error {
	if _, ok := b.configured(id); ok {
		return nil
	}
	if b.isDocument(id) {
		return b.documents.checkID(id)
	}
	_, err := b.registered(ctx, id)
	return err
}

func (b *Broker) configured(id string) (Client, bool) {
	i := slices.IndexFunc(b.config.Clients, func(c Client) bool { return c.ID == id })
	if i < 0 {
		return Client{}, false
	}
	c := b.config.Clients[i]
	c.Name = called(c.Name, c.ID)
	return c, true
}

func (b *Broker) isDocument(id string) bool {
	return strings.Contains(id, "://") && !b.config.NoDocuments
}

func (b *Broker) registered(ctx context.Context, id string) (Client, error) {
	if !strings.HasPrefix(id, registeredPrefix) || len(id) > maxClientID {
		return Client{}, errUnknownClient
	}
	return b.store.client(ctx, id)
}

// mayReturnTo reports whether the client registered a redirect URI.
func (c Client) mayReturnTo(uri string) bool {
	return slices.ContainsFunc(c.Redirects, func(registered string) bool { return matchRedirect(registered, uri) })
}

// called is what a person sees of the client's name. A name is what the client
// says of itself, so it is cut and kept free of what would turn a line around;
// one that is missing is replaced by the id.
func called(name, id string) string {
	name = strings.Map(func(r rune) rune {
		if !printable(r) {
			return -1
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if name == "" {
		name = id
		if u, err := url.Parse(id); err == nil && u.Host != "" {
			name = u.Host
		}
	}
	if runes := []rune(name); len(runes) > maxName {
		name = string(runes[:maxName-1]) + "…"
	}
	return name
}
