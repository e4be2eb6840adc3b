package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// secretView is a token, shown this once.
type secretView struct {
	Once, Works, TokenLabel, Token         string
	ConfigLabel, ConfigHint, Config, After string
	Back, BackText                         string
	Rows                                   int
}

// generateToken makes the play token and shows it. It is the answer to the form
// itself: no address leads to it, and nothing keeps it.
func (v *visit) generateToken() error {
	id, err := v.subject("play")
	if err != nil {
		return err
	}
	t := &v.words.Access
	token, info, err := v.config.Assignments.GenerateToken(v.r.Context(), v.who.ID, id)
	if fault.CodeOf(err) == fault.Conflict {
		v.message(http.StatusConflict, t.Inactive, "")
		return nil
	}
	if err != nil {
		return err
	}
	return v.secret(t.Title, secretView{
		Once: t.Once + " " + t.Replaced, Works: fmt.Sprintf(t.Expires, v.words.Moment(info.ExpiresAt).Text),
		TokenLabel: t.Token, Token: token,
		ConfigLabel: t.Config, ConfigHint: t.ConfigHint, Config: clientConfig("pharos-play", v.config.PlayURL, token),
		After: t.How,
		Back:  "/plays/" + id.String() + "/", BackText: t.Done,
	})
}

func (v *visit) secret(title string, view secretView) error {
	view.Rows = bytes.Count([]byte(view.Config), []byte("\n")) + 1
	return v.render(http.StatusOK, "secret", title, view)
}

// revokeToken ends the play token.
func (v *visit) revokeToken() error {
	id, err := v.subject("play")
	if err != nil {
		return err
	}
	if err := v.config.Assignments.RevokeToken(v.r.Context(), v.who.ID, id); err != nil {
		return err
	}
	return v.done("/plays/"+id.String()+"/", "revoked")
}

// clientConfig is what an MCP client needs, in the form that most of them read.
func clientConfig(name, url, token string) string {
	type server struct {
		Type    string            `json:"type"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false) // it is pasted, and the page escapes it
	to.SetIndent("", "  ")
	// Strings are always written.
	_ = to.Encode(map[string]any{"mcpServers": map[string]server{
		name: {"http", url, map[string]string{"Authorization": "Bearer " + token}},
	}})
	return string(bytes.TrimSpace(text.Bytes()))
}
