package access

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/platformapi"
)

// Describe is what a session's own answers tell of it.
func (s *Service) Describe(ctx context.Context, c Caller) (platformapi.SessionModel, error) {
	setup, err := s.SetupOf(ctx, c)
	if err != nil {
		return platformapi.SessionModel{}, err
	}
	model := platformapi.SessionModel{
		CsrfToken: c.Session.CSRF, ExpiresAt: c.Session.ExpiresAt, Operator: c.Operator, Username: c.Username,
		Setup: SetupTo(setup),
	}
	if c.Party != uuid.Nil {
		party := c.Party.String()
		model.PartyID = &party
	}
	return model, nil
}

// Resume describes a session that has just begun.
func (s *Service) Resume(ctx context.Context, g Grant) (platformapi.SessionModel, error) {
	c, err := s.sessionOf(ctx, g.Cookie)
	if err != nil {
		return platformapi.SessionModel{}, err
	}
	return s.Describe(ctx, c)
}

// SetupTo is a setup as the API describes it.
func SetupTo(s Setup) platformapi.SetupModel {
	m := platformapi.SetupModel{
		Registration: platformapi.RegistrationStateModelComplete, Setup: platformapi.SetupStateModelComplete,
		Aup: platformapi.AupStateModelAccepted, AupVersion: s.AUP, Todo: []platformapi.SetupStepModel{},
	}
	if !s.Registered {
		m.Registration = platformapi.RegistrationStateModelMissing
	}
	if !s.Complete {
		m.Setup = platformapi.SetupStateModelPending
	}
	if !s.Accepted {
		m.Aup = platformapi.AupStateModelRequired
	}
	for _, step := range s.Todo() {
		m.Todo = append(m.Todo, platformapi.SetupStepModel(step))
	}
	m.Ready = len(m.Todo) == 0
	return m
}

func tokenTo(t Token) platformapi.AccessTokenModel {
	return platformapi.AccessTokenModel{
		ID: t.ID.String(), Name: t.Name, Scopes: scopesTo(t.Scopes),
		CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt, LastUsedAt: t.LastUsedAt,
	}
}

func scopesTo(scopes []string) platformapi.ScopesModel {
	m := make(platformapi.ScopesModel, len(scopes))
	for i, scope := range scopes {
		m[i] = platformapi.ScopeModel(scope)
	}
	return m
}
