package party

import (
	"context"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// The bounds of a profile, in characters.
const (
	maxDisplayName = 120
	maxEmail       = 254
	maxAffiliation = 200
)

// Profile is what a person says of themselves.
type Profile struct {
	DisplayName string
	Email       string
	Affiliation string // may be ""
}

func (p Profile) check() error {
	if err := checkText("display_name", p.DisplayName, 1, maxDisplayName); err != nil {
		return err
	}
	if err := checkText("affiliation", p.Affiliation, 0, maxAffiliation); err != nil {
		return err
	}
	address, err := mail.ParseAddress(p.Email)
	foreign := func(r rune) bool { return r > unicode.MaxASCII } // for which the API's format is another
	if err != nil || address.Address != p.Email || len(p.Email) > maxEmail || strings.ContainsFunc(p.Email, foreign) {
		return fault.New(fault.Invalid, "email must be an address like ada@example.org")
	}
	return nil
}

// checkText refuses what is no line of text within bounds.
func checkText(name, text string, least, most int) error {
	n := utf8.RuneCountInString(text)
	if n < least || n > most || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fault.Newf(fault.Invalid, "%s must be a line of %d to %d characters", name, least, most)
	}
	return nil
}

// Party is a person who has registered, whole.
type Party struct {
	ID       uuid.UUID
	Username string
	Profile
	Operator    bool
	AuthVersion int64
	Revision    int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Peer is what others may see of a person.
type Peer struct {
	ID          uuid.UUID
	Username    string
	DisplayName string
	Affiliation string
}

// Me gives the Party of the principal.
func (s *Service) Me(ctx context.Context) (Party, error) {
	return getParty(ctx, s.pool, access.From(ctx).Party)
}

// Change is a change of a profile: nil leaves a part as it is.
type Change struct {
	DisplayName *string
	Affiliation *string
}

// Update changes the profile of the principal. A revision other than the
// expected one is a rejection.
func (s *Service) Update(ctx context.Context, c command.Command, change Change) (command.Outcome, error) {
	if change.DisplayName != nil {
		if err := checkText("display_name", *change.DisplayName, 1, maxDisplayName); err != nil {
			return command.Outcome{}, err
		}
	}
	if change.Affiliation != nil {
		if err := checkText("affiliation", *change.Affiliation, 0, maxAffiliation); err != nil {
			return command.Outcome{}, err
		}
	}
	result, err := command.Do(ctx, s.door, c, change, func(
		ctx context.Context, tx pgx.Tx, now time.Time,
	) (command.Result[command.None], error) {
		party, err := lockParty(ctx, tx, c.ID)
		if err != nil {
			return command.Result[command.None]{}, err
		}
		if party.Revision != c.Expected {
			return command.Rejected[command.None](party.Revision, command.StaleRevision), nil
		}
		if change.DisplayName != nil {
			party.DisplayName = *change.DisplayName
		}
		if change.Affiliation != nil {
			party.Affiliation = *change.Affiliation
		}
		revision, err := updateProfile(ctx, tx, party, now)
		return command.Applied(revision, command.None{}), err
	})
	return result.Outcome, err
}

// Peer gives what the principal may see of a person: nothing of one with whom
// they share no project.
func (s *Service) Peer(ctx context.Context, id uuid.UUID) (Peer, error) {
	return getPeer(ctx, s.pool, access.From(ctx).Party, id)
}

// Peers lists whom the principal may see, themselves among them, by username.
func (s *Service) Peers(ctx context.Context, prefix string, p page.Page) ([]Peer, *string, error) {
	rows, err := listPeers(ctx, s.pool, access.From(ctx).Party, prefix, p)
	if err != nil {
		return nil, nil, err
	}
	peers, next := page.Next(p, rows, func(p Peer) page.Key { return page.Key{Name: p.Username} })
	return peers, next, nil
}
