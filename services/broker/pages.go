package broker

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/internal/admission"
)

//go:embed pages/page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// page is what a person sees: a question about a client, or a message.
type page struct {
	Title   string
	Text    []string // paragraphs
	Client  *clientView
	Handle  string // of the form, where there is one
	Allow   string // the label of the button that goes on
	Deny    string // and of the one that does not
	LinkURL string
	Link    string
}

// clientView is a client as a person should see it: what it calls itself, and
// where the answer goes, which it cannot lie about.
type clientView struct {
	Name     string
	Site     string // host of its metadata document, or ""
	Host     string // where the browser goes afterwards
	Loopback bool   // a program on this machine, whoever started it
	Resource string
	Scopes   []scopeView
}

// scopeView is a scope: "support: create, change and delete".
type scopeView struct{ Scope, Owner, Words string }

// page writes a page that nothing may frame, no script runs on and nothing is
// fetched for.
func (b *Broker) page(w http.ResponseWriter, status int, p page) {
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, p); err != nil {
		http.Error(w, "internal", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Frame-Options", "DENY")
	// no-referrer would take the Origin from the form as well.
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}

func (b *Broker) consentPage(a asked, handle string) page {
	v := &clientView{Name: a.client.Name, Resource: b.config.ResourceName}
	if v.Resource == "" {
		v.Resource = b.config.Resource
	}
	if u, err := url.Parse(a.client.ID); err == nil {
		v.Site = u.Host
	}
	if u, err := url.Parse(a.redirect); err == nil {
		v.Loopback = isLoopback(u)
		if v.Host = u.Host; v.Host == "" {
			v.Host = u.Scheme + ":"
		}
	}
	for _, scope := range a.scopes {
		owner, access, _ := strings.Cut(scope, ":")
		v.Scopes = append(v.Scopes, scopeView{scope, owner, accessWords[access]})
	}
	return page{Title: "Allow access?", Client: v, Handle: handle, Allow: "Allow and log in", Deny: "Do not allow"}
}

// accessWords say what an access is.
var accessWords = map[string]string{
	"read": "read", "write": "create, change and delete", "admin": "administer, for everybody",
}

// strangerPage answers a form or a return that is not of this browser, or too
// old.
var strangerPage = page{Title: "This page is no longer valid", Text: []string{
	"The request was started in another browser, was finished already, or is older than ten minutes.",
	"Go back to your application and connect again.",
}}

// refusedLoginPage answers a login that cannot be believed.
var refusedLoginPage = page{Title: "The login was not accepted", Text: []string{
	"The login service answered, but its answer lacks what is needed to know you, or does not belong to this login.",
	"Go back to your application and connect again. If it happens again, ask the operator of this service.",
}}

func badRequestPage(why string) page {
	return page{Title: "This request cannot be right", Text: []string{
		"The application that sent you here made a mistake: " + why + ".",
		"Nothing was allowed. Go back to the application, and tell its makers.",
	}}
}

// clientPage answers a request whose client could not be found.
func (b *Broker) clientPage(w http.ResponseWriter, r *http.Request, err error) {
	if refused, ok := errors.AsType[*admission.Refused](err); ok {
		w.Header().Set("Retry-After", strconv.Itoa(refused.Seconds()))
		b.page(w, http.StatusTooManyRequests, busyPage)
		return
	}
	down := errors.Is(err, errDocumentDown)
	if !down && !errors.Is(err, errUnknownClient) {
		b.unavailablePage(w, r, err)
		return
	}
	b.log.InfoContext(r.Context(), "client refused", "reason", err)
	if down {
		w.Header().Set("Retry-After", "5")
		b.page(w, http.StatusServiceUnavailable, unreadPage)
		return
	}
	b.page(w, http.StatusBadRequest, badRequestPage("it is not known here, or its description could not be read; it must register again"))
}

// unreadPage answers where a client's own server does not.
var unreadPage = page{Title: "Please try again in a moment", Text: []string{
	"The application's description of itself cannot be read at the moment. Nothing is lost: reload this page, or connect again from it.",
}}

// busyPage answers where too much is asked for at once.
var busyPage = page{Title: "Too many requests", Text: []string{
	"Too many connections to this service are being started at the moment. Nothing is lost: wait a minute, then reload this page.",
}}

// unaskedPage answers a request that could not be kept.
func (b *Broker) unaskedPage(w http.ResponseWriter, r *http.Request, err error) {
	full, ok := errors.AsType[fullError](err)
	if !ok {
		b.unavailablePage(w, r, err)
		return
	}
	b.log.WarnContext(r.Context(), "too many requests wait", "bound", full.whose())
	w.Header().Set("Retry-After", full.seconds())
	b.page(w, full.status(), busyPage)
}

// unsettledPage sends a person to the ordinary login of the platform.
func (b *Broker) unsettledPage(code string) page {
	if code == "deactivated" {
		return page{Title: "Your account is deactivated", Text: []string{
			"The platform keeps your account out at the moment. Nothing was allowed.",
			"Ask the people who run the platform; then go back to your application and connect again.",
		}}
	}
	p := page{Title: "One more step on the platform", Link: "Go to the platform", LinkURL: b.config.Platform}
	switch code {
	case "not_registered":
		p.Text = []string{"You are not registered there yet. Log in to the platform once and register; no account was made for you here."}
	case "aup_required":
		p.Text = []string{"The acceptable use policy has a new version. Log in to the platform and accept it first."}
	default:
		p.Text = []string{"Your account is not set up completely. Log in to the platform and finish that first."}
	}
	p.Text = append(p.Text, "Then go back to your application and connect again.")
	return p
}

// retryPage keeps the request, so that the person can go on in a moment.
func (b *Broker) retryPage(w http.ResponseWriter, r *http.Request, handle, what string, err error) {
	b.log.ErrorContext(r.Context(), "request", "path", r.URL.Path, "error", err)
	w.Header().Set("Retry-After", "5")
	b.page(w, http.StatusServiceUnavailable, page{
		Title: "Please try again in a moment", Text: []string{"At the moment " + what + ". Nothing is lost."},
		Handle: handle, Allow: "Try again", Deny: "Give up",
	})
}

// unavailablePage answers when the broker itself cannot work.
func (b *Broker) unavailablePage(w http.ResponseWriter, r *http.Request, err error) {
	b.log.ErrorContext(r.Context(), "request", "path", r.URL.Path, "error", err)
	w.Header().Set("Retry-After", "5")
	b.page(w, http.StatusServiceUnavailable, page{Title: "Please try again in a moment", Text: []string{
		"The service cannot answer at the moment. Nothing is lost: reload this page, or connect again from your application.",
	}})
}
