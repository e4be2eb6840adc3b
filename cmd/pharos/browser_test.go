package main

import (
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
)

// returnURL is where clients want the browser back. Nobody listens there: the
// browser stops in front of it.
const returnURL = "http://127.0.0.1:1/callback"

// person sits before a browser without scripts, and answers what it shows.
type person struct {
	user   string // who they are at the login service
	denies bool   // whether they answer the consent page with no

	asked []string // the scopes of each consent page
}

// open goes from a client's authorization URL to what the client is answered.
func (p *person) open(address string) (url.Values, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	b := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), returnURL) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	consent, err := pageOf(b.Get(address))
	if err != nil {
		return nil, err
	}
	p.asked = append(p.asked, strings.Join(consent.codes(), " "))
	answer := "allow"
	if p.denies {
		answer = "deny"
	}
	login, err := consent.press(b, "answer", answer)
	if err != nil || login.returned != nil {
		return login.returned, err
	}
	done, err := login.press(b, "user", p.user)
	if err == nil && done.returned == nil {
		err = fmt.Errorf("after the login the browser is at %s: %s", done.address, done.text)
	}
	return done.returned, err
}

// screen is a page, or the client's answer in the place of one.
type screen struct {
	address  *url.URL
	text     string
	returned url.Values
}

func pageOf(reply *http.Response, err error) (screen, error) {
	if err != nil {
		return screen{}, err
	}
	defer reply.Body.Close()
	if to := reply.Header.Get("Location"); strings.HasPrefix(to, returnURL) {
		u, err := url.Parse(to)
		if err != nil {
			return screen{}, err
		}
		return screen{returned: u.Query()}, nil
	}
	body, err := io.ReadAll(reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s", reply.Request.URL.Path, reply.StatusCode, body)
	}
	return screen{address: reply.Request.URL, text: string(body)}, err
}

var (
	formAction  = regexp.MustCompile(`<form method="post" action="([^"]*)"`)
	formHidden  = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
	formButtons = regexp.MustCompile(`<button [^>]*name="([^"]*)" value="([^"]*)"`)
	pageCodes   = regexp.MustCompile(`<code>([^<]*)</code>`)
)

// press submits the page's form by one of its buttons.
func (s screen) press(b *http.Client, name, value string) (screen, error) {
	action := formAction.FindStringSubmatch(s.text)
	if action == nil {
		return screen{}, errors.New("no form: " + s.text)
	}
	to, err := s.address.Parse(html.UnescapeString(action[1]))
	if err != nil {
		return screen{}, err
	}
	form := url.Values{}
	for _, m := range formHidden.FindAllStringSubmatch(s.text, -1) {
		form.Add(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	for _, m := range formButtons.FindAllStringSubmatch(s.text, -1) {
		if html.UnescapeString(m[1]) == name && html.UnescapeString(m[2]) == value {
			form.Add(name, value)
		}
	}
	if !form.Has(name) {
		return screen{}, fmt.Errorf("no button %s=%s: %s", name, value, s.text)
	}
	return pageOf(b.PostForm(to.String(), form))
}

// codes are the scopes that a consent page names.
func (s screen) codes() (codes []string) {
	for _, m := range pageCodes.FindAllStringSubmatch(s.text, -1) {
		codes = append(codes, html.UnescapeString(m[1]))
	}
	return codes
}
