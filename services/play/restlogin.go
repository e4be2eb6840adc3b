package play

import (
	"context"

	"github.com/pharos-mcp/pharos/generated/playapi"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/login"
)

// loginHandlers are the operations of logins.
type loginHandlers struct{ service *Service }

// GetLogin implements playapi.StrictServerInterface.
func (h loginHandlers) GetLogin(
	ctx context.Context, _ playapi.GetLoginRequestObject,
) (playapi.GetLoginResponseObject, error) {
	return playapi.GetLogin200JSONResponse(accountTo(visitorOf(ctx).account)), nil
}

// LogIn implements playapi.StrictServerInterface. The login that the browser had
// ends where the new one begins.
func (h loginHandlers) LogIn(ctx context.Context, in playapi.LogInRequestObject) (playapi.LogInResponseObject, error) {
	v := visitorOf(ctx)
	var presented []string
	if v.cookie != "" {
		presented = append(presented, v.cookie)
	}
	secret, a, err := h.service.accounts.Login(ctx, in.Body.Username, in.Body.Password, v.address, presented...)
	if err != nil {
		return nil, err
	}
	return playapi.LogIn200JSONResponse{
		Body:    accountTo(a),
		Headers: playapi.LogIn200ResponseHeaders{SetCookie: login.Set(h.service.config.Secure, secret).String()},
	}, nil
}

// LogOut implements playapi.StrictServerInterface.
func (h loginHandlers) LogOut(
	ctx context.Context, _ playapi.LogOutRequestObject,
) (playapi.LogOutResponseObject, error) {
	if v := visitorOf(ctx); v.cookie != "" {
		if err := h.service.accounts.Logout(ctx, v.cookie); err != nil {
			return nil, err
		}
	}
	return playapi.LogOut204Response{
		Headers: playapi.LogOut204ResponseHeaders{SetCookie: login.Clear(h.service.config.Secure).String()},
	}, nil
}

// accountTo writes an account.
func accountTo(a account.Account) playapi.AccountModel {
	return playapi.AccountModel{
		Username: a.Username, DisplayName: a.DisplayName, Language: playapi.LanguageModel(a.Language),
	}
}
