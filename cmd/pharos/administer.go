package main

import (
	"context"
	"io"
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
	"aup accept": changeUser(
		(*party.Service).AcceptFor, "bound to the policy in effect", "bound to it already, or there is none",
	),
	"aup withdraw":    changeUser((*party.Service).Withdraw, "bound to no policy any more", "bound to none"),
	"identity bind":   bindIdentity,
	"identity unbind": unbindIdentity,
}

// administer is `pharos platform`.
func administer(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	flags := newFlags("platform")
	file := flags.String("config", "", "")
	if err := parseFlags(flags, args, administerUsage); err != nil {
		return err
	}
	name := strings.Join(flags.Args()[:min(2, flags.NArg())], " ")
	run, ok := commands[name]
	if !ok {
		return unknownCommand("pharos platform", name)
	}
	do, err := run(flags.Args()[2:], stdin)
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, *file, "platform")
	if err != nil {
		return err
	}
	defer db.Close()
	a := &administration{parties: party.New(party.Config{Pool: db.Pool}), stdout: stdout}
	if a.access, err = access.New(access.Config{Pool: db.Pool, Catalog: catalog.Catalog()}); err != nil {
		return err
	}
	return do(ctx, a)
}

// openDatabase opens the database that the server with this configuration uses,
// for one of its owners.
func openDatabase(ctx context.Context, file, owner string) (*pg.DB, error) {
	c, err := loadConfig(file)
	if err != nil {
		return nil, err
	}
	database, err := c.Database.config(nil)
	if err != nil {
		return nil, err
	}
	return pg.Open(ctx, database, owner)
}
