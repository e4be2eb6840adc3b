package access

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// queries are the statements; each names the connection that it runs on.
var queries = platformdb.New()

// errNobody is a credential that stands for nobody, for whatever reason.
var errNobody = errors.New("it stands for nobody")

// orNobody turns a row that is not there into errNobody.
func orNobody(err error) error {
	if found, err := pg.Found(err); err != nil || found {
		return err
	}
	return errNobody
}

// sessionRow is a session with the caller that it stands for.
type sessionRow struct {
	session     Session
	caller      Caller
	authVersion int64 // the Party's when the session began
	seenAt      time.Time
}

func findSession(ctx context.Context, db platformdb.DBTX, digest []byte, now time.Time) (sessionRow, error) {
	row, err := queries.FindSession(ctx, db, platformdb.FindSessionParams{Digest: digest, Now: now})
	if err != nil {
		return sessionRow{}, orNobody(err)
	}
	return sessionRow{
		session: Session{Digest: digest, Identity: row.IdentityID, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt},
		caller: Caller{
			Identity: row.IdentityID, Username: row.Username, Party: idOf(row.PartyID), AuthVersion: row.CurrentVersion,
			Operator: row.Operator, Standing: StandingOf(row.State, row.AUPDue), AUPDue: row.AUPDue,
			Temporary: row.Temporary,
		},
		authVersion: row.AuthVersion, seenAt: row.SeenAt,
	}, nil
}

func insertSession(ctx context.Context, tx pgx.Tx, s Session, authVersion int64) error {
	err := queries.InsertSession(ctx, tx, platformdb.InsertSessionParams{
		Digest: s.Digest, IdentityID: s.Identity, AuthVersion: authVersion, CreatedAt: s.CreatedAt, ExpiresAt: s.ExpiresAt,
	})
	if err != nil {
		return err
	}
	old := platformdb.DeleteOldSessionsParams{IdentityID: s.Identity, Keep: maxSessions}
	if err := queries.DeleteOldSessions(ctx, tx, old); err != nil {
		return err
	}
	return queries.DeleteExpiredSessions(ctx, tx, s.CreatedAt)
}

// requiredPolicy is the policy in effect, 0 where there is none.
func requiredPolicy(ctx context.Context, db platformdb.DBTX, now time.Time) (int64, error) {
	row, err := queries.RequiredPolicy(ctx, db, now)
	_, err = pg.Found(err)
	return row.Version, err
}

func touchSession(ctx context.Context, db platformdb.DBTX, digest []byte, now time.Time) error {
	return queries.TouchSession(ctx, db, platformdb.TouchSessionParams{Digest: digest, SeenAt: now})
}

// tokenRow is a token with the caller that it stands for.
type tokenRow struct {
	id          uuid.UUID
	caller      Caller
	authVersion int64 // the Party's when the token was made
	expiresAt   time.Time
	usedAt      *time.Time
}

func findToken(ctx context.Context, db platformdb.DBTX, digest []byte, now time.Time) (tokenRow, error) {
	row, err := queries.FindToken(ctx, db, platformdb.FindTokenParams{Digest: digest, Now: now})
	if err != nil {
		return tokenRow{}, orNobody(err)
	}
	return tokenRow{
		id: row.ID,
		caller: Caller{
			Party: row.PartyID, AuthVersion: row.CurrentVersion, Operator: row.Operator,
			Standing: StandingOf(&row.State, row.AUPDue), AUPDue: row.AUPDue, Scopes: row.Scopes,
		},
		authVersion: row.AuthVersion, expiresAt: row.ExpiresAt, usedAt: row.LastUsedAt,
	}, nil
}

func touchToken(ctx context.Context, db platformdb.DBTX, id uuid.UUID, now time.Time) error {
	return queries.TouchToken(ctx, db, platformdb.TouchTokenParams{ID: id, UsedAt: now})
}

func insertToken(ctx context.Context, tx pgx.Tx, t Token, digest []byte) error {
	return queries.InsertToken(ctx, tx, platformdb.InsertTokenParams{
		ID: t.ID, PartyID: t.Party, Digest: digest, Name: t.Name, Scopes: t.Scopes, AuthVersion: t.AuthVersion,
		CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt,
	})
}

// otherTokens counts the tokens that a Party has beside one that is to be made,
// and clears away those that are void.
func otherTokens(ctx context.Context, tx pgx.Tx, t Token) (int64, error) {
	void := platformdb.DeleteVoidTokensParams{PartyID: t.Party, Now: t.CreatedAt, AuthVersion: t.AuthVersion}
	if err := queries.DeleteVoidTokens(ctx, tx, void); err != nil {
		return 0, err
	}
	return queries.CountTokens(ctx, tx, platformdb.CountTokensParams{PartyID: t.Party, Beside: t.ID})
}

func listTokens(ctx context.Context, db platformdb.DBTX, party uuid.UUID, p page.Page) ([]Token, error) {
	before := p.Below()
	rows, err := queries.ListTokens(ctx, db, platformdb.ListTokensParams{
		PartyID: party, BeforeTime: before.Time, BeforeID: before.ID, PageSize: p.Fetch(),
	})
	tokens := make([]Token, len(rows))
	for i, row := range rows {
		tokens[i] = Token{
			ID: row.ID, Party: party, Name: row.Name, Scopes: row.Scopes, AuthVersion: row.AuthVersion,
			CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt, LastUsedAt: row.LastUsedAt,
		}
	}
	return tokens, err
}

func deleteToken(ctx context.Context, db platformdb.DBTX, party, id uuid.UUID) (found bool, err error) {
	n, err := queries.DeleteToken(ctx, db, platformdb.DeleteTokenParams{ID: id, PartyID: party})
	return n > 0, err
}

func updatePassword(ctx context.Context, tx pgx.Tx, identity uuid.UUID, p Password, now time.Time) error {
	return queries.UpdatePassword(ctx, tx, platformdb.UpdatePasswordParams{
		IdentityID: identity, Password: p.Stored, Temporary: p.Temporary, UpdatedAt: now,
	})
}

func setPartyState(ctx context.Context, tx pgx.Tx, party uuid.UUID, state string, now time.Time) error {
	return queries.SetPartyState(ctx, tx, platformdb.SetPartyStateParams{ID: party, State: state, Now: now})
}

// findIdentity finds the Party behind an exact identity, as it is now.
func findIdentity(ctx context.Context, db platformdb.DBTX, i token.Identity, now time.Time) (Caller, error) {
	row, err := queries.ResolveIdentity(ctx, db, platformdb.ResolveIdentityParams{
		Issuer: i.Issuer, Subject: i.Subject, VopersonID: i.VopersonID, Now: now,
	})
	if err != nil {
		return Caller{}, orNobody(err)
	}
	c := Caller{Party: idOf(row.PartyID), Operator: row.Operator, Standing: StandingOf(row.State, row.AUPDue), AUPDue: row.AUPDue}
	if row.AuthVersion != nil {
		c.AuthVersion = *row.AuthVersion
	}
	return c, nil
}

// useLogin notes that a login assertion was shown. It says whether that was the
// first time, of all instances.
func useLogin(ctx context.Context, db platformdb.DBTX, jti string, now time.Time) (first bool, err error) {
	n, err := queries.UseLoginAssertion(ctx, db, platformdb.UseLoginAssertionParams{
		JTI: jti, UsedAt: now, ClearedUntil: now.Add(-rememberLogin),
	})
	return n > 0, err
}

// credential is what a login is checked against.
type credential struct {
	identity    uuid.UUID
	password    string // "" where there is no such username
	standing    Standing
	authVersion int64 // the Party's, 0 without one
}

// findCredential gives the zero credential for a username that does not exist.
func findCredential(ctx context.Context, db platformdb.DBTX, username string) (credential, error) {
	row, err := queries.FindCredential(ctx, db, username)
	if found, err := pg.Found(err); err != nil || !found {
		return credential{}, err
	}
	c := credential{identity: row.IdentityID, password: row.Password, standing: StandingOf(row.State, 0)}
	if row.AuthVersion != nil {
		c.authVersion = *row.AuthVersion
	}
	return c, nil
}

func idOf(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}
