package web

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/login"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// home leads to where somebody begins.
func (v *visit) home() error {
	if v.who == nil {
		return v.see("/login/")
	}
	return v.see("/plays/")
}

// loginView is the login.
type loginView struct {
	problems
	Username, Password field
	Next               string
}

// loginForm shows the login.
func (v *visit) loginForm() error {
	if v.who != nil {
		return v.see(local(v.query.Get("next"), "/plays/"))
	}
	return v.showLogin(http.StatusOK, v.query.Get("next"), problems{})
}

func (v *visit) showLogin(status int, next string, p problems) error {
	t := &v.words.Login
	return v.render(status, "login", t.Title, &loginView{
		problems: p, Next: local(next, ""),
		Username: field{
			ID: "username", Name: "username", Label: t.Username, Kind: "text", Value: v.form.Get("username"),
			Error:        p.of("username"),
			Autocomplete: "username", Exact: true, Must: v.words.Site.Required,
		},
		// A password is never given back.
		Password: field{
			ID: "password", Name: "password", Label: t.Password, Kind: "password", Error: p.of("password"),
			Autocomplete: "current-password", Must: v.words.Site.Required,
		},
	})
}

// The most of what a login reads. No account has longer ones.
const (
	maxUsername = 64
	maxPassword = 256
)

// login begins a session. The session that the browser had ends.
func (v *visit) login() error {
	t, p := &v.words.Login, problems{}
	username := strings.TrimSpace(v.form.Get("username"))
	v.form.Set("username", username)
	v.text(&p, "username", t.Username, 1, maxUsername)
	password := v.form.Get("password")
	if password == "" {
		p.add("password", t.Password, v.words.Form.Missing)
	}
	next := v.form.Get("next")
	if p.failed() {
		return v.showLogin(http.StatusUnprocessableEntity, next, p)
	}
	var presented []string
	for _, c := range v.r.CookiesNamed(login.Cookie(v.config.Secure)) {
		presented = append(presented, c.Value)
	}
	cookie, who, err := v.config.Accounts.Login(v.r.Context(), username, password, v.address(), presented...)
	switch f := fault.From(err); fault.CodeOf(err) {
	case "":
	case fault.Unauthenticated, fault.Invalid, fault.Unprocessable:
		p.add("username", "", t.Refused)
		return v.showLogin(http.StatusUnauthorized, next, p)
	case fault.TooMany:
		v.w.Header().Set("Retry-After", strconv.Itoa(f.Seconds()))
		p.add("username", "", fmt.Sprintf(t.Wait, f.Seconds()))
		return v.showLogin(http.StatusTooManyRequests, next, p)
	default:
		return err
	}
	http.SetCookie(v.w, login.Set(v.config.Secure, cookie))
	v.who = &who
	return v.see(local(next, "/plays/"))
}

// address is whom attempts to log in count for.
func (v *visit) address() string {
	host, _, err := net.SplitHostPort(v.r.RemoteAddr)
	if err != nil {
		return v.r.RemoteAddr
	}
	return host
}

// logout ends the session.
func (v *visit) logout() error {
	if cookie := login.From(v.r, v.config.Secure); cookie != "" {
		err := v.config.Accounts.Logout(v.r.Context(), cookie)
		if err != nil && fault.CodeOf(err) != fault.Unauthenticated {
			return err
		}
	}
	http.SetCookie(v.w, login.Clear(v.config.Secure))
	v.w.Header().Set("Clear-Site-Data", `"cache"`)
	return v.see("/login/")
}

// accountView is one's own account.
type accountView struct {
	Username, Name string
	Since          words.Moment
}

// account shows one's own account.
func (v *visit) account() error {
	return v.render(http.StatusOK, "account", v.words.Account.Title, accountView{
		v.who.Username, v.who.DisplayName, v.words.Moment(v.who.CreatedAt),
	})
}
