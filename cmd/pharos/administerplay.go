package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/demo"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

const administerPlayUsage = `usage: pharos play [-config FILE] COMMAND

Administers play, in the same database that the server uses, whether it runs or
not:

  account add [FLAGS] USER    make an account; pharos play account add -h
  account password [-password FILE] USER
                              give another password, and end the sessions
  account disable USER        keep out, at once, with all tokens
  account enable USER         let in again
  account list                all accounts
  demo [FLAGS]                load the demonstration; pharos play demo -h
`

const addAccountUsage = `usage: pharos play account add [FLAGS] USER

Makes an account under a username, with a password. Who has one may write
scenarios, and play what a game master assigns to them.

  -password FILE     read the password from the file, - for standard input;
                     without it one is made and printed
  -name TEXT         what others see; the username unless given
  -language en|pl    the language of pages and reports; en unless given
`

const demoUsage = `usage: pharos play demo [FLAGS]

Loads a short scenario with its wiki for one account, and assigns it to another.
It makes the accounts that are not there, and prints their passwords. What is
there already stays as it is.

  -language en|pl    the language of all of it; en unless given
  -gm USER           whose scenario it is; gm unless given
  -player USER       who plays it; player unless given
  -token FILE        write a new play token to a new file; an earlier one ends
`

// playAdministration is what the commands work with.
type playAdministration struct {
	demo.Deps
	stdout io.Writer
}

// newPlayServices are play's services over a database.
func newPlayServices(pool *pgxpool.Pool) demo.Deps {
	return demo.Deps{
		Accounts:    account.New(account.Config{Pool: pool, Now: time.Now}),
		Scenarios:   scenario.New(scenario.Config{Pool: pool, Now: time.Now}),
		Wiki:        wiki.New(wiki.Config{Pool: pool, Now: time.Now}),
		Assignments: assignment.New(assignment.Config{Pool: pool, Now: time.Now}),
	}
}

// playCommand is one command of `pharos play`. It parses what stands behind its
// name before there is a database, and returns what it will do.
type playCommand func(args []string, stdin io.Reader) (func(context.Context, *playAdministration) error, error)

// playCommands are all of them, by name.
var playCommands = map[string]playCommand{
	"account add":      addAccount,
	"account password": setAccountPassword,
	"account disable":  changeAccount(false, "disabled"),
	"account enable":   changeAccount(true, "enabled"),
	"account list":     listAccounts,
	"demo":             loadDemo,
}

// administerPlay is `pharos play`.
func administerPlay(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	flags := newFlags("play")
	file := flags.String("config", "", "")
	if err := parseFlags(flags, args, administerPlayUsage); err != nil {
		return err
	}
	rest, words := flags.Args(), 2
	if flags.Arg(0) == "demo" {
		words = 1
	}
	words = min(words, len(rest))
	name := strings.Join(rest[:words], " ")
	run, ok := playCommands[name]
	if !ok {
		return unknownCommand("pharos play", name)
	}
	do, err := run(rest[words:], stdin)
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, *file, "play")
	if err != nil {
		return err
	}
	defer db.Close()
	return do(ctx, &playAdministration{newPlayServices(db.Pool), stdout})
}

// addAccount is `pharos play account add`.
func addAccount(args []string, stdin io.Reader) (func(context.Context, *playAdministration) error, error) {
	flags := newFlags("account add")
	var a account.NewAccount
	file := flags.String("password", "", "")
	flags.StringVar(&a.DisplayName, "name", "", "")
	flags.StringVar(&a.Language, "language", "en", "")
	if err := parseFlags(flags, args, addAccountUsage); err != nil {
		return nil, err
	}
	if err := operands("account add", flags.Args(), "USER"); err != nil {
		return nil, err
	}
	if err := checkLanguage(a.Language); err != nil {
		return nil, err
	}
	given, err := readPassword(*file, stdin)
	if err != nil {
		return nil, err
	}
	if a.Username, a.Password = flags.Arg(0), given; given == "" {
		a.Password = rand.Text()
	}
	if a.DisplayName == "" {
		a.DisplayName = a.Username
	}
	return func(ctx context.Context, p *playAdministration) error {
		if _, err := p.Accounts.Create(ctx, a); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.stdout, "account: %s\n", a.Username)
		if given == "" && err == nil {
			_, err = fmt.Fprintf(p.stdout, "password: %s\n", a.Password)
		}
		return err
	}, nil
}

func checkLanguage(language string) error {
	if language != "en" && language != "pl" {
		return usageError("-language is en or pl")
	}
	return nil
}

// setAccountPassword is `pharos play account password`.
func setAccountPassword(args []string, stdin io.Reader) (func(context.Context, *playAdministration) error, error) {
	flags := newFlags("account password")
	file := flags.String("password", "", "")
	if err := parseFlags(flags, args, administerPlayUsage); err != nil {
		return nil, err
	}
	if err := operands("account password", flags.Args(), "USER"); err != nil {
		return nil, err
	}
	given, err := readPassword(*file, stdin)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *playAdministration) error {
		password := given
		if password == "" {
			password = rand.Text()
		}
		if err := p.Accounts.SetPassword(ctx, flags.Arg(0), password); err != nil || given != "" {
			return err
		}
		_, err := fmt.Fprintf(p.stdout, "password: %s\n", password)
		return err
	}, nil
}

// changeAccount is `pharos play account disable` or enable.
func changeAccount(active bool, is string) playCommand {
	return func(args []string, _ io.Reader) (func(context.Context, *playAdministration) error, error) {
		flags := newFlags("")
		if err := parseFlags(flags, args, administerPlayUsage); err != nil {
			return nil, err
		}
		if err := operands("this command", flags.Args(), "USER"); err != nil {
			return nil, err
		}
		return func(ctx context.Context, p *playAdministration) error {
			if err := p.Accounts.SetActive(ctx, flags.Arg(0), active); err != nil {
				return err
			}
			_, err := fmt.Fprintf(p.stdout, "%s is %s\n", flags.Arg(0), is)
			return err
		}, nil
	}
}

// listAccounts is `pharos play account list`.
func listAccounts(args []string, _ io.Reader) (func(context.Context, *playAdministration) error, error) {
	flags := newFlags("account list")
	if err := parseFlags(flags, args, administerPlayUsage); err != nil {
		return nil, err
	}
	if err := operands("account list", flags.Args()); err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *playAdministration) error {
		accounts, err := p.Accounts.List(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
		for _, a := range accounts {
			state := "enabled"
			if !a.Active {
				state = "disabled"
			}
			since := a.CreatedAt.UTC().Format(time.DateOnly)
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", a.Username, state, a.Language, since, a.DisplayName)
		}
		return table.Flush()
	}, nil
}
