package access

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// Sessions serves the operations of logins, sessions and tokens.
type Sessions struct{ *Service }

// Login begins a session.
func (s Sessions) Login(ctx context.Context, r platformapi.LoginRequestObject) (platformapi.LoginResponseObject, error) {
	v := visitOf(ctx)
	var replaces []byte
	if v.caller != nil && v.caller.Session != nil {
		replaces = v.caller.Session.Digest
	}
	g, err := s.Service.Login(ctx, r.Body.Username, r.Body.Password, v.address, replaces)
	if err != nil {
		return nil, err
	}
	body, err := s.Resume(ctx, g)
	if err != nil {
		return nil, err
	}
	return platformapi.Login200JSONResponse{
		Body: body, Headers: platformapi.Login200ResponseHeaders{SetCookie: s.SetCookie(g)},
	}, nil
}

// Logout ends the session.
func (s Sessions) Logout(
	ctx context.Context, _ platformapi.LogoutRequestObject,
) (platformapi.LogoutResponseObject, error) {
	c, err := SessionOf(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Service.Logout(ctx, c.Session.Digest); err != nil {
		return nil, err
	}
	return platformapi.Logout204Response{Headers: platformapi.Logout204ResponseHeaders{SetCookie: s.ClearCookie()}}, nil
}

// GetSession tells who is logged in.
func (s Sessions) GetSession(
	ctx context.Context, _ platformapi.GetSessionRequestObject,
) (platformapi.GetSessionResponseObject, error) {
	c, err := SessionOf(ctx)
	if err != nil {
		return nil, err
	}
	body, err := s.Describe(ctx, c)
	return platformapi.GetSession200JSONResponse(body), err
}

// ChangePassword replaces the password.
func (s Sessions) ChangePassword(
	ctx context.Context, r platformapi.ChangePasswordRequestObject,
) (platformapi.ChangePasswordResponseObject, error) {
	c, err := SessionOf(ctx)
	if err != nil {
		return nil, err
	}
	g, err := s.Service.ChangePassword(ctx, c, r.Body.Current, r.Body.Replacement, visitOf(ctx).address)
	if err != nil {
		return nil, err
	}
	body, err := s.Resume(ctx, g)
	if err != nil {
		return nil, err
	}
	return platformapi.ChangePassword200JSONResponse{
		Body: body, Headers: platformapi.ChangePassword200ResponseHeaders{SetCookie: s.SetCookie(g)},
	}, nil
}

// ListAccessTokens gives a page of the caller's tokens.
func (s Sessions) ListAccessTokens(
	ctx context.Context, r platformapi.ListAccessTokensRequestObject,
) (platformapi.ListAccessTokensResponseObject, error) {
	c, err := registered(ctx)
	if err != nil {
		return nil, err
	}
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("tokens", c.Party))
	if err != nil {
		return nil, err
	}
	tokens, next, err := s.Tokens(ctx, c.Party, p)
	if err != nil {
		return nil, err
	}
	reply := platformapi.ListAccessTokens200JSONResponse{Items: []platformapi.AccessTokenModel{}, NextCursor: next}
	for _, t := range tokens {
		reply.Items = append(reply.Items, tokenTo(t))
	}
	return reply, nil
}

// CreateAccessToken makes a token.
func (s Sessions) CreateAccessToken(
	ctx context.Context, r platformapi.CreateAccessTokenRequestObject,
) (platformapi.CreateAccessTokenResponseObject, error) {
	scopes := make([]string, len(r.Body.Scopes))
	for i, scope := range r.Body.Scopes {
		scopes[i] = string(scope)
	}
	t, text, err := s.CreateToken(ctx, From(ctx), r.Body.Name, scopes, r.Body.ExpiresAt)
	if err != nil {
		return nil, err
	}
	return platformapi.CreateAccessToken201JSONResponse{
		ID: t.ID.String(), Name: t.Name, Scopes: scopesTo(t.Scopes), CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt,
		Token: text,
	}, nil
}

// DeleteAccessToken ends a token.
func (s Sessions) DeleteAccessToken(
	ctx context.Context, r platformapi.DeleteAccessTokenRequestObject,
) (platformapi.DeleteAccessTokenResponseObject, error) {
	c, err := registered(ctx)
	if err != nil {
		return nil, err
	}
	id, err := uuid.Parse(r.ID)
	if err != nil || id.String() != r.ID {
		return nil, fault.New(fault.Invalid, "id must be a UUID in lower case")
	}
	found, err := s.DeleteToken(ctx, c.Party, id)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such token")
	}
	return platformapi.DeleteAccessToken204Response{}, err
}

// registered is the caller of a session who has a Party.
func registered(ctx context.Context) (Caller, error) {
	c, err := SessionOf(ctx)
	if err == nil && c.Standing == Unregistered {
		err = Unregistered.Required()
	}
	return c, err
}
