package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

const (
	// developer is the user that a private database has from the beginning: an
	// operator whose password nobody knows.
	developer = "developer"
	// developmentTokenName is the name of that user's token, and of its file.
	developmentTokenName = "development"
	// The token is replaced before it expires.
	developmentTokenTime = 365 * 24 * time.Hour
	developmentTokenLeft = 30 * 24 * time.Hour
)

// tokenFileIn is where the token of the development user is, beside a private
// server's data.
func tokenFileIn(folder string) string { return filepath.Join(folder, developmentTokenName+".token") }

// knownToken is the file of the development user's token where a private server
// has one already, or "".
func (c databaseConfig) knownToken() string {
	folder, err := c.folder()
	if err != nil || folder == "" {
		return ""
	}
	file := tokenFileIn(folder)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// developmentToken sees to it that a private database has the development user,
// and that a valid personal access token of that user is in a file of its own.
// Several processes may do so at the same time.
func developmentToken(ctx context.Context, db *pg.DB) (file string, err error) {
	user, err := developmentUser(ctx, db)
	if err != nil {
		return "", err
	}
	a, err := access.New(access.Config{Pool: db.Pool, Catalog: catalog.Catalog()})
	if err != nil {
		return "", err
	}
	file = tokenFileIn(db.Folder)
	if ok, err := holdsToken(ctx, a, user, file); ok || err != nil {
		return file, err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	p := access.Principal{Party: user.Party, Operator: user.Operator, AuthVersion: user.AuthVersion}
	token, text, err := a.CreateToken(ctx, p, developmentTokenName, a.Scopes(p), time.Now().Add(developmentTokenTime))
	if err != nil {
		return "", err
	}
	if err := writeOnce(file, text+"\n"); err != nil {
		_, _ = a.DeleteToken(ctx, user.Party, token.ID)
		if !errors.Is(err, fs.ErrExist) { // another process was faster
			return "", err
		}
	}
	return file, nil
}

// developmentUser finds the development user, or makes them known.
func developmentUser(ctx context.Context, db *pg.DB) (party.Resolved, error) {
	parties := party.New(party.Config{Pool: db.Pool})
	_, err := parties.AddUser(ctx, party.NewUser{
		Username: developer, Password: rand.Text(), Operator: true, AcceptPolicy: true,
		Profile: &party.Profile{DisplayName: "Developer", Email: "developer@example.org"},
	})
	if err != nil && fault.CodeOf(err) != fault.Exists {
		return party.Resolved{}, err
	}
	if _, err := parties.AcceptFor(ctx, developer); err != nil { // what was published since
		return party.Resolved{}, err
	}
	return parties.Resolve(ctx, party.Identity{Issuer: party.PasswordIssuer, Subject: developer, VopersonID: developer})
}

// holdsToken reports whether the file is there and the user has a token for it
// that lasts.
func holdsToken(ctx context.Context, a *access.Service, user party.Resolved, file string) (bool, error) {
	if _, err := os.Stat(file); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return false, err
	}
	most := int64(page.Most)
	p, err := page.Of(&most, nil, page.Kind(developmentTokenName))
	if err != nil {
		return false, err
	}
	tokens, _, err := a.Tokens(ctx, user.Party, p)
	if err != nil {
		return false, err
	}
	for _, t := range tokens {
		valid := t.AuthVersion == user.AuthVersion && time.Until(t.ExpiresAt) > developmentTokenLeft
		if t.Name == developmentTokenName && valid {
			return true, nil
		}
	}
	return false, nil
}

// writeOnce writes a file that only its owner reads. It is there with its whole
// content or not at all; one that is there already is fs.ErrExist.
func writeOnce(file, content string) error {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), file)
}
