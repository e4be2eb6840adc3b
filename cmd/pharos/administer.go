package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

const administerUsage = `usage: pharos platform [-config FILE] COMMAND

Administers who may use the platform, in the same database that the server uses,
whether it runs or not:

  user add [FLAGS] USER       make a person known; pharos platform user add -h
  user password [-password FILE] USER
                              give another password, which must be replaced
  user deactivate USER        keep out, at once
  user activate USER          let in again
  operator enrol USER         make an operator
  operator withdraw USER      end that
  aup publish [-title TEXT] [-effective TIME] FILE
                              publish the next version of the acceptable use policy
  aup accept USER             record that a user has accepted it on paper
  aup withdraw USER           end what a user has accepted
  identity bind USER ISSUER SUBJECT VOPERSON_ID
                              let a user log in through a provider
  identity unbind ISSUER SUBJECT VOPERSON_ID
                              end that

Every change of what somebody may do ends their sessions and tokens.
`

// administration is what the commands work with.
type administration struct {
	parties *party.Service
	access  *access.Service
	stdout  io.Writer
}

// command is one command of `pharos platform`. It parses what stands behind its
// name before there is a database, and returns what it will do.
type command func(args []string, stdin io.Reader) (func(context.Context, *administration) error, error)

// commands are all of them, by name.
var commands = map[string]command{
	"user add":          addUser,
	"user password":     setPassword,
	"user deactivate":   changeUser((*party.Service).Deactivate, "deactivated", "deactivated already"),
	"user activate":     changeUser((*party.Service).Activate, "active", "active already"),
	"operator enrol":    changeUser((*party.Service).Enrol, "an operator", "an operator already"),
	"operator withdraw": changeUser((*party.Service).Dismiss, "no operator any more", "no operator"),
	"aup publish":       publishPolicy,
	"aup accept":        changeUser((*party.Service).AcceptFor, "bound to the policy in effect", "bound to it already, or there is none"),
	"aup withdraw":      changeUser((*party.Service).Withdraw, "bound to no policy any more", "bound to none"),
	"identity bind":     bindIdentity,
	"identity unbind":   unbindIdentity,
}

// administer is `pharos platform`.
func administer(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) (err error) {
	flags := newFlags("platform")
	file := flags.String("config", "", "")
	if err := parseFlags(flags, args, administerUsage); err != nil {
		return err
	}
	name := strings.Join(flags.Args()[:min(2, flags.NArg())], " ")
	run, ok := commands[name]
	if !ok {
		return usageError(fmt.Sprintf("unknown command %q of pharos platform", name))
	}
	do, err := run(flags.Args()[2:], stdin)
	if err != nil {
		return err
	}
	a := &administration{stdout: stdout}
	closed, err := a.open(ctx, *file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closed()) }()
	return do(ctx, a)
}

// open opens the database that the server with this configuration uses.
func (a *administration) open(ctx context.Context, file string) (closed func() error, err error) {
	c, err := loadConfig(file)
	if err != nil {
		return nil, err
	}
	database, err := c.Database.config(nil)
	if err != nil {
		return nil, err
	}
	db, err := pg.Open(ctx, database, "platform")
	if err != nil {
		return nil, err
	}
	a.parties = party.New(party.Config{Pool: db.Pool})
	a.access, err = access.New(access.Config{Pool: db.Pool, Catalog: catalog.Catalog()})
	return db.Close, err
}

// helpError asks for the usage of one command.
type helpError string

func (e helpError) Error() string { return string(e) }

func (e helpError) Unwrap() error { return flag.ErrHelp }

func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parseFlags parses flags whose help is a text of ours.
func parseFlags(flags *flag.FlagSet, args []string, help string) error {
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return helpError(help)
	}
	if err != nil {
		return usageError(err.Error())
	}
	return nil
}

// operands holds what is left behind the flags to the names of what is needed.
func operands(command string, given []string, names ...string) error {
	if len(given) != len(names) || slices.Contains(given, "") {
		return usageError(fmt.Sprintf("%s needs %s", command, strings.Join(names, ", ")))
	}
	return nil
}
