package web

import (
	"fmt"
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// tokensView are an author's personal tokens, without their secrets.
type tokensView struct {
	problems
	Rows []tokenRow
	ID   string // of the token that the form would issue
	Name field
}

type tokenRow struct {
	Name             string
	Created, Expires words.Moment
	Ended            bool
	LastUsed         *words.Moment
	RevokeURL        string
	Revoke           string
}

func (v *visit) toTokens() error { return v.see("/tokens/") }

func (v *visit) listTokens() error { return v.showTokens(http.StatusOK, newID(), problems{}) }

func (v *visit) showTokens(status int, id string, p problems) error {
	all, err := v.config.Accounts.Tokens(v.r.Context(), v.who.ID)
	if err != nil {
		return err
	}
	t := &v.words.Tokens
	view := &tokensView{problems: p, ID: id, Name: field{
		ID: "name", Name: "name", Label: t.Name, Kind: "text", Value: v.form.Get("name"), Error: p.of("name"),
		Must:  v.must(1),
		Hints: []string{fmt.Sprintf(t.NameHint, account.MaxTokenName)}, Autocomplete: "off",
	}}
	now := v.config.Now()
	for _, token := range all {
		row := tokenRow{
			Name: token.Name, Created: v.words.Moment(token.CreatedAt), Expires: v.words.Moment(token.ExpiresAt),
			Ended:     !now.Before(token.ExpiresAt),
			RevokeURL: "/tokens/" + token.ID.String() + "/revoke/", Revoke: fmt.Sprintf(t.RevokeNamed, token.Name),
		}
		if token.LastUsedAt != nil {
			used := v.words.Moment(*token.LastUsedAt)
			row.LastUsed = &used
		}
		view.Rows = append(view.Rows, row)
	}
	return v.render(status, "tokens", t.Title, view)
}

// issueToken makes a token and shows it. It is the answer to the form itself:
// no address leads to it, and nothing keeps it.
func (v *visit) issueToken() error {
	id, err := v.id("id")
	if err != nil {
		return err
	}
	t, p := &v.words.Tokens, problems{}
	name := v.line(&p, "name", t.Name, 1, account.MaxTokenName)
	if p.failed() {
		return v.showTokens(http.StatusUnprocessableEntity, id.String(), p)
	}
	text, token, err := v.config.Accounts.IssueToken(v.r.Context(), v.who.ID, id, name)
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.secret(t.ShownTitle, secretView{
			Once: t.Once, Works: fmt.Sprintf(t.Works, v.words.Moment(token.ExpiresAt).Text), TokenLabel: t.Token,
			Token:       text,
			ConfigLabel: t.Config, ConfigHint: t.ConfigHint,
			Config: clientConfig("pharos-author", v.config.AuthorURL, text),
			Back:   "/tokens/", BackText: t.Done,
		})
	case code == fault.Exists:
		p.add("", "", t.Exists)
		v.form.Del("name")
		return v.showTokens(http.StatusConflict, newID(), p)
	case code == fault.TooMany || code == fault.Conflict:
		p.add("", "", t.TooMany)
		return v.showTokens(code.Status(), newID(), p)
	case v.refused(&p, err):
		return v.showTokens(code.Status(), newID(), p)
	}
	return err
}

// revokeAuthorToken ends a token. One that is gone already is what was wanted.
func (v *visit) revokeAuthorToken() error {
	id, err := v.subject("token")
	if err != nil {
		return err
	}
	err = v.config.Accounts.RevokeToken(v.r.Context(), v.who.ID, id)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return err
	}
	return v.done("/tokens/", "revoked")
}
