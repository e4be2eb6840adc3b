package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/demo"
)

// playTokenLeft is how long a play token that is given again must still live.
const playTokenLeft = 24 * time.Hour

// playDemo is the demonstration of a private database: who may log in, and a
// token that an MCP client can play with at once.
type playDemo struct {
	people [2]demoPerson
	token  string // "" where somebody has disabled an account
}

type demoPerson struct{ username, password string }

// developmentPlay sees to it that a private database has the demonstration, that
// the passwords of its two accounts are in files of their own, and a play token
// that lives in another. Several processes may do so at the same time: one does
// it after the other.
func developmentPlay(ctx context.Context, db *pg.DB) (*playDemo, error) {
	unlock, err := lockFolder(db.Folder, "play.lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	d, deps := &playDemo{}, newPlayServices(db.Pool)
	people := [2]account.NewAccount{demoAccount("gm", "en"), demoAccount("player", "en")}
	active := true
	for i := range people {
		file := filepath.Join(db.Folder, "play-"+people[i].Username+".password")
		a, password, err := developmentAccount(ctx, deps.Accounts, people[i], file)
		if err != nil {
			return nil, fmt.Errorf("play account %s: %w", people[i].Username, err)
		}
		active = active && a.Active
		d.people[i] = demoPerson{a.Username, password}
	}
	if !active {
		return d, nil // somebody wants it so
	}
	loaded, err := demo.Load(ctx, deps, demo.Options{GM: people[0], Player: people[1], Language: "en"})
	if err != nil {
		return nil, fmt.Errorf("play demonstration: %w", err)
	}
	gm, err := deps.Accounts.ByUsername(ctx, people[0].Username)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(db.Folder, "play.token")
	d.token, err = developmentPlayToken(ctx, deps.Assignments, gm.ID, loaded.AssignmentID, file)
	return d, err
}

// developmentAccount finds an account, or makes it. Its password is the one in
// the file; an account without one gets a new password.
func developmentAccount(
	ctx context.Context, accounts *account.Service, n account.NewAccount, file string,
) (a account.Account, password string, err error) {
	kept, err := readKept(file)
	if err != nil {
		return a, "", err
	}
	if kept != "" {
		n.Password = kept
	}
	a, err = accounts.Create(ctx, n)
	if fault.CodeOf(err) == fault.Exists {
		if a, err = accounts.ByUsername(ctx, n.Username); err == nil && kept == "" {
			err = accounts.SetPassword(ctx, n.Username, n.Password)
		}
	}
	if err == nil && kept == "" {
		err = replace(file, n.Password)
	}
	return a, n.Password, err
}

// developmentPlayToken is the play token in a file while it lives, or else a new
// one.
func developmentPlayToken(
	ctx context.Context, assignments *assignment.Service, gm, id uuid.UUID, file string,
) (token string, err error) {
	if token, err = readKept(file); err != nil {
		return "", err
	}
	seat, err := assignments.Seat(ctx, token)
	if err != nil && fault.CodeOf(err) != fault.Unauthenticated {
		return "", err
	}
	a, _, errGet := assignments.Get(ctx, gm, id)
	if errGet != nil {
		return "", errGet
	}
	if err == nil && seat.AssignmentID == id && a.Token != nil && time.Until(a.Token.ExpiresAt) > playTokenLeft {
		return token, nil
	}
	if token, _, err = assignments.GenerateToken(ctx, gm, id); err != nil {
		return "", err
	}
	return token, replace(file, token)
}

// readKept reads what is kept in a file; "" is nothing yet.
func readKept(file string) (string, error) {
	text, err := readSmallFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// replace keeps a secret in a file that only its owner reads.
func replace(file, secret string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return writeOnce(file, secret+"\n")
}

// announce prints how to log in, and what to paste into an MCP client.
func (d *playDemo) announce(w io.Writer, url string) error {
	if d == nil {
		_, err := io.WriteString(w, "play, accounts: made by pharos play account add\n")
		return err
	}
	var out strings.Builder
	for _, p := range d.people {
		_, _ = fmt.Fprintf(&out, "play, log in as: %s, password %s\n", p.username, p.password)
	}
	_, _ = fmt.Fprintf(&out, "play, tokens of authors: made by who has logged in, at %s/tokens/\n", url)
	if d.token != "" {
		out.WriteString("MCP client configuration, to play the demonstration:\n")
		if err := encodeClient(&out, "play", url+play.PlayPath, d.token); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// encodeClient writes the configuration of an MCP client, to be pasted.
func encodeClient(w io.Writer, name, url, token string) error {
	type client struct {
		Type    string            `json:"type"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"mcpServers": map[string]client{
		name: {"http", url, map[string]string{"Authorization": "Bearer " + token}},
	}})
}
