package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/devidp"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// developmentPeople makes the people of the development provider known to a
// private database, each in the state that the provider says of them: a member,
// an operator, and one who has still to accept the policy. The others of its
// list stay unknown.
func developmentPeople(ctx context.Context, db *pg.DB, issuer string) error {
	parties := party.New(party.Config{Pool: db.Pool})
	if err := developmentPolicy(ctx, parties); err != nil {
		return err
	}
	for _, u := range devidp.Users() {
		operator, accepts := u.Subject == "operator", u.Subject != "pending"
		if u.Subject != "member" && !operator && accepts {
			continue
		}
		_, err := parties.AddUser(ctx, party.NewUser{
			Username: "dev-" + u.Subject, Password: rand.Text(), Operator: operator, AcceptPolicy: accepts,
			Profile: &party.Profile{DisplayName: u.Name, Email: u.Subject + "@example.org"},
		})
		if err != nil && fault.CodeOf(err) != fault.Exists {
			return fmt.Errorf("development people: %w", err)
		}
		if accepts {
			if _, err := parties.AcceptFor(ctx, "dev-"+u.Subject); err != nil {
				return fmt.Errorf("development people: %w", err)
			}
		}
		identity := party.Identity{Issuer: issuer, Subject: u.Subject, VopersonID: u.VopersonID}
		if err := parties.Bind(ctx, "dev-"+u.Subject, identity); err != nil {
			return fmt.Errorf("development people: %w", err)
		}
	}
	return nil
}

// developmentPolicy publishes a policy where there is none, so that there is
// something to accept.
func developmentPolicy(ctx context.Context, parties *party.Service) error {
	first := int64(1)
	p, err := page.Of(&first, nil, page.Kind("development"))
	if err != nil {
		return err
	}
	if known, _, err := parties.Policies(ctx, p); err != nil || len(known) > 0 {
		return err
	}
	_, err = parties.Publish(ctx, "Acceptable use of a development machine",
		"This platform runs on one machine, for development. Keep nothing here that matters.", time.Now())
	if fault.CodeOf(err) == fault.Exists || fault.CodeOf(err) == fault.Conflict {
		return nil // another process was faster
	}
	return err
}
