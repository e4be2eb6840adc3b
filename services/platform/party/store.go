package party

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// queries are the statements; each names the connection that it runs on.
var queries = platformdb.New()

var (
	errNoUser  = fault.New(fault.NotFound, "there is no such user, or they have not registered")
	errNoParty = fault.New(fault.NotFound, "there is no such person")
)

// or turns a row that is not there into an error of its own.
func or(err, missing error) error {
	if found, err := pg.Found(err); err != nil || found {
		return err
	}
	return missing
}

// lockedParty is a Party that nobody else changes.
type lockedParty struct {
	ID          uuid.UUID
	DisplayName string
	Affiliation string
	State       string
	AuthVersion int64
	Revision    int64
}

func lockParty(ctx context.Context, tx pgx.Tx, id uuid.UUID) (lockedParty, error) {
	row, err := queries.LockParty(ctx, tx, id)
	return lockedParty{id, row.DisplayName, row.Affiliation, row.State, row.AuthVersion, row.Revision}, err
}

// lockUser locks the Party with a username.
func lockUser(ctx context.Context, tx pgx.Tx, username string) (lockedParty, error) {
	id, err := queries.FindParty(ctx, tx, username)
	if err != nil {
		return lockedParty{}, or(err, errNoUser)
	}
	return lockParty(ctx, tx, id)
}

func raise(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := queries.RaiseAuthVersion(ctx, tx, id)
	return err
}

func setState(ctx context.Context, tx pgx.Tx, id uuid.UUID, state string, now time.Time) error {
	return queries.SetPartyState(ctx, tx, platformdb.SetPartyStateParams{ID: id, State: state, Now: now})
}

// stateOfSetup is how far the setup of a Party has come, whatever its state.
func stateOfSetup(ctx context.Context, tx pgx.Tx, id uuid.UUID) (string, error) {
	pending, err := queries.HasTemporaryPassword(ctx, tx, id)
	if pending {
		return access.StateSetupPending, err
	}
	return access.StateActive, err
}

func insertParty(ctx context.Context, tx pgx.Tx, p Party, state string) error {
	return queries.InsertParty(ctx, tx, platformdb.InsertPartyParams{
		ID: p.ID, Username: p.Username, DisplayName: p.DisplayName, Email: p.Email, Affiliation: p.Affiliation,
		State: state, CreatedAt: p.CreatedAt,
	})
}

func getParty(ctx context.Context, db platformdb.DBTX, id uuid.UUID) (Party, error) {
	row, err := queries.GetParty(ctx, db, id)
	return Party{
		ID: row.ID, Username: row.Username,
		Profile:  Profile{DisplayName: row.DisplayName, Email: row.Email, Affiliation: row.Affiliation},
		Operator: row.Operator, AuthVersion: row.AuthVersion, Revision: row.Revision,
		CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}, err
}

func updateProfile(ctx context.Context, tx pgx.Tx, p lockedParty, now time.Time) (revision int64, err error) {
	return queries.UpdateProfile(ctx, tx, platformdb.UpdateProfileParams{
		ID: p.ID, DisplayName: p.DisplayName, Affiliation: p.Affiliation, Now: now,
	})
}

func getPeer(ctx context.Context, db platformdb.DBTX, viewer, id uuid.UUID) (Peer, error) {
	row, err := queries.GetPeer(ctx, db, platformdb.GetPeerParams{ID: id, Viewer: viewer})
	return Peer(row), or(err, errNoParty)
}

func listPeers(ctx context.Context, db platformdb.DBTX, viewer uuid.UUID, prefix string, p page.Page) ([]Peer, error) {
	rows, err := queries.ListPeers(ctx, db, platformdb.ListPeersParams{
		Viewer: viewer, Prefix: prefix, AfterName: p.Above().Name, PageSize: p.Fetch(),
	})
	peers := make([]Peer, len(rows))
	for i, row := range rows {
		peers[i] = Peer(row)
	}
	return peers, err
}

// insertIdentity says whether the identity was not known before.
func insertIdentity(ctx context.Context, tx pgx.Tx, id uuid.UUID, i Identity, now time.Time) (made bool, err error) {
	_, err = queries.InsertIdentity(ctx, tx, platformdb.InsertIdentityParams{
		ID: id, Issuer: i.Issuer, Subject: i.Subject, VopersonID: i.VopersonID, CreatedAt: now,
	})
	return pg.Found(err)
}

// lockIdentity gives the Party of an identity, or uuid.Nil.
func lockIdentity(ctx context.Context, tx pgx.Tx, id uuid.UUID) (party uuid.UUID, err error) {
	row, err := queries.LockIdentity(ctx, tx, id)
	if row.PartyID != nil {
		party = *row.PartyID
	}
	return party, err
}

// lockIdentityOf gives an identity's own identifier and its Party, or uuid.Nil.
func lockIdentityOf(ctx context.Context, tx pgx.Tx, i Identity) (id, party uuid.UUID, err error) {
	row, err := queries.LockIdentityOf(ctx, tx, platformdb.LockIdentityOfParams{
		Issuer: i.Issuer, Subject: i.Subject, VopersonID: i.VopersonID,
	})
	if row.PartyID != nil {
		party = *row.PartyID
	}
	return row.ID, party, or(err, fault.New(fault.NotFound, "nobody has that identity"))
}

func setIdentityParty(ctx context.Context, tx pgx.Tx, identity uuid.UUID, party *uuid.UUID) error {
	return queries.SetIdentityParty(ctx, tx, platformdb.SetIdentityPartyParams{ID: identity, PartyID: party})
}

// resolve gives the standing of an identity, which is Unregistered where nobody
// knows it, and the Party behind it.
func resolve(ctx context.Context, db platformdb.DBTX, i Identity, now time.Time) (access.Standing, Resolved, error) {
	row, err := queries.ResolveIdentity(ctx, db, platformdb.ResolveIdentityParams{
		Issuer: i.Issuer, Subject: i.Subject, VopersonID: i.VopersonID, Now: now,
	})
	if found, err := pg.Found(err); err != nil || !found {
		return access.Unregistered, Resolved{}, err
	}
	standing := access.StandingOf(row.State, row.AUPDue)
	if standing == access.Unregistered {
		return standing, Resolved{}, nil
	}
	return standing, Resolved{Party: *row.PartyID, AuthVersion: *row.AuthVersion, Operator: row.Operator}, nil
}

// credential is the password of an identity, as far as a registration asks.
type credential struct {
	username  string
	temporary bool
}

func getCredential(ctx context.Context, tx pgx.Tx, identity uuid.UUID) (credential, error) {
	row, err := queries.GetCredential(ctx, tx, identity)
	return credential{row.Username, row.Temporary}, err
}

func insertCredential(
	ctx context.Context, tx pgx.Tx, identity uuid.UUID, u NewUser, stored string, now time.Time,
) error {
	_, err := queries.InsertCredential(ctx, tx, platformdb.InsertCredentialParams{
		IdentityID: identity, Username: u.Username, Password: stored, Temporary: u.Temporary, UpdatedAt: now,
	})
	return err // the username is free: its identity was
}

// findIdentityOfUser gives the identity that has a username, or uuid.Nil.
func findIdentityOfUser(ctx context.Context, db platformdb.DBTX, username string) (uuid.UUID, error) {
	row, err := queries.FindCredential(ctx, db, username)
	_, err = pg.Found(err)
	return row.IdentityID, err
}

func enrolOperator(ctx context.Context, tx pgx.Tx, party uuid.UUID, now time.Time) (changed bool, err error) {
	n, err := queries.EnrolOperator(ctx, tx, platformdb.EnrolOperatorParams{PartyID: party, EnrolledAt: now})
	return n > 0, err
}

func withdrawOperator(ctx context.Context, tx pgx.Tx, party uuid.UUID) (changed bool, err error) {
	n, err := queries.WithdrawOperator(ctx, tx, party)
	return n > 0, err
}

// newestPolicy gives the last policy, without its text, while nobody else
// publishes; the zero Policy where there is none.
func newestPolicy(ctx context.Context, tx pgx.Tx) (Policy, error) {
	if err := queries.LockPolicies(ctx, tx); err != nil {
		return Policy{}, err
	}
	row, err := queries.NewestPolicy(ctx, tx)
	_, err = pg.Found(err)
	return Policy{
		Version: row.Version, Digest: row.Digest, EffectiveAt: row.EffectiveAt, PublishedAt: row.PublishedAt,
	}, err
}

func insertPolicy(ctx context.Context, tx pgx.Tx, p Policy) error {
	return queries.InsertPolicy(ctx, tx, platformdb.InsertPolicyParams{
		Version: p.Version, Title: p.Title, Text: p.Text, Digest: p.Digest,
		EffectiveAt: p.EffectiveAt, PublishedAt: p.PublishedAt,
	})
}

func getPolicy(ctx context.Context, db platformdb.DBTX, version int64, now time.Time) (Policy, error) {
	row, err := queries.GetPolicy(ctx, db, platformdb.GetPolicyParams{Version: version, Now: now})
	return Policy{
		Version: row.Version, Title: row.Title, Text: row.Text, Digest: row.Digest, Current: row.Current,
		EffectiveAt: row.EffectiveAt, PublishedAt: row.PublishedAt,
	}, or(err, fault.New(fault.NotFound, "there is no such version of the policy"))
}

func listPolicies(ctx context.Context, db platformdb.DBTX, p page.Page, now time.Time) ([]Policy, error) {
	rows, err := queries.ListPolicies(ctx, db, platformdb.ListPoliciesParams{
		Before: p.Below().Number, Now: now, PageSize: p.Fetch(),
	})
	policies := make([]Policy, len(rows))
	for i, row := range rows {
		policies[i] = Policy{
			Version: row.Version, Title: row.Title, Digest: row.Digest, Current: row.Current,
			EffectiveAt: row.EffectiveAt, PublishedAt: row.PublishedAt,
		}
	}
	return policies, err
}

// requiredPolicy gives version and digest of the policy in effect, or the zero
// Policy.
func requiredPolicy(ctx context.Context, tx pgx.Tx, now time.Time) (Policy, error) {
	row, err := queries.RequiredPolicy(ctx, tx, now)
	_, err = pg.Found(err)
	return Policy{Version: row.Version, Digest: row.Digest}, err
}

// acceptPolicy says whether the Party was not bound to that version before.
func acceptPolicy(
	ctx context.Context, tx pgx.Tx, party uuid.UUID, version int64, identity uuid.UUID, now time.Time,
) (changed bool, err error) {
	n, err := queries.AcceptPolicy(ctx, tx, platformdb.AcceptPolicyParams{
		PartyID: party, Version: version, IdentityID: identity, AcceptedAt: now,
	})
	return n > 0, err
}

func withdrawAcceptances(ctx context.Context, tx pgx.Tx, party uuid.UUID, now time.Time) (changed bool, err error) {
	n, err := queries.WithdrawAcceptances(ctx, tx, platformdb.WithdrawAcceptancesParams{PartyID: party, Now: now})
	return n > 0, err
}

func listAcceptances(ctx context.Context, db platformdb.DBTX, party uuid.UUID, p page.Page) ([]Acceptance, error) {
	rows, err := queries.ListAcceptances(ctx, db, platformdb.ListAcceptancesParams{
		PartyID: party, Before: p.Below().Number, PageSize: p.Fetch(),
	})
	acceptances := make([]Acceptance, len(rows))
	for i, row := range rows {
		acceptances[i] = Acceptance{
			Version: row.Version, Digest: row.Digest, AcceptedAt: row.AcceptedAt, WithdrawnAt: row.WithdrawnAt,
			Identity: Identity{row.Issuer, row.Subject, row.VopersonID},
		}
	}
	return acceptances, err
}
