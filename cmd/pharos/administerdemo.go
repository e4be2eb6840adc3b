package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/demo"
)

// loadDemo is `pharos play demo`.
func loadDemo(args []string, _ io.Reader) (func(context.Context, *playAdministration) error, error) {
	flags := newFlags("demo")
	language := flags.String("language", "en", "")
	gm, player := flags.String("gm", "gm", ""), flags.String("player", "player", "")
	tokenFile := flags.String("token", "", "")
	if err := parseFlags(flags, args, demoUsage); err != nil {
		return nil, err
	}
	if err := operands("demo", flags.Args()); err != nil {
		return nil, err
	}
	if err := checkLanguage(*language); err != nil {
		return nil, err
	}
	for _, username := range []string{*gm, *player} { // before anything is loaded
		if err := account.CheckUsername(username); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, p *playAdministration) error {
		return p.loadDemo(ctx, *language, *gm, *player, *tokenFile)
	}, nil
}

func (p *playAdministration) loadDemo(ctx context.Context, language, gm, player, tokenFile string) (err error) {
	var token *os.File
	if tokenFile != "" { // before anything is loaded
		if token, err = os.OpenFile(tokenFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, token.Close(), os.Remove(tokenFile))
			}
		}()
	}
	o := demo.Options{GM: demoAccount(gm, language), Player: demoAccount(player, language), Language: language}
	for _, a := range []account.NewAccount{o.GM, o.Player} {
		switch _, err := p.Accounts.Create(ctx, a); fault.CodeOf(err) {
		case "":
			if _, err := fmt.Fprintf(p.stdout, "account: %s\npassword: %s\n", a.Username, a.Password); err != nil {
				return err
			}
		case fault.Exists:
		default:
			return err
		}
	}
	loaded, err := demo.Load(ctx, p.Deps, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "scenario: %s\nassignment: %s\n", loaded.ScenarioID, loaded.AssignmentID)
	if err != nil || token == nil {
		return err
	}
	owner, err := p.Accounts.ByUsername(ctx, gm)
	if err != nil {
		return err
	}
	text, t, err := p.Assignments.GenerateToken(ctx, owner.ID, loaded.AssignmentID)
	if err != nil {
		return err
	}
	if _, err = io.WriteString(token, text+"\n"); err == nil {
		err = token.Close()
	}
	if err == nil {
		until := t.ExpiresAt.UTC().Format("2006-01-02 15:04 MST")
		_, err = fmt.Fprintf(p.stdout, "play token: in %s, until %s\n", tokenFile, until)
	}
	return err
}

// demoAccount is an account of the demonstration, with a password of its own.
func demoAccount(username, language string) account.NewAccount {
	return account.NewAccount{Username: username, DisplayName: username, Language: language, Password: rand.Text()}
}
