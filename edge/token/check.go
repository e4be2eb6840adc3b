package token

import (
	"errors"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"
)

// check judges the members of every family. What Verify accepts and what Sign
// makes go through the same rules.
func (c common) check(f Family, t Trust, now time.Time) error {
	for _, member := range []struct {
		name  string
		value *string
	}{
		{"iss", c.Issuer}, {"aud", c.Audience}, {"sub", c.Subject}, {"jti", c.ID},
		{"identity_issuer", c.IdentityIssuer}, {"identity_subject", c.IdentitySubject},
		{"identity_voperson_id", c.IdentityVoperson},
	} {
		if err := checkText(member.name, member.value); err != nil {
			return err
		}
	}
	if *c.Issuer != t.Issuer {
		return errors.New("iss is not the trusted issuer")
	}
	if *c.Audience != t.Audience {
		return errors.New("aud is another audience")
	}
	return checkLifetime(c.IssuedAt, c.Expires, f.lifetime(), now)
}

// checkLifetime judges iat and exp, in seconds since 1970.
func checkLifetime(issued, expires *int64, longest time.Duration, now time.Time) error {
	if issued == nil {
		return errors.New("iat is missing")
	}
	if expires == nil {
		return errors.New("exp is missing")
	}
	if *issued <= 0 {
		return errors.New("iat is no time")
	}
	if *expires <= *issued {
		return errors.New("exp is not after iat")
	}
	if *expires-*issued > int64(longest/time.Second) {
		return fmt.Errorf("lives longer than %s", longest)
	}
	if time.Unix(*issued, 0).After(now.Add(skew)) {
		return errors.New("iat is in the future")
	}
	if !now.Before(time.Unix(*expires, 0)) {
		return errors.New("expired")
	}
	return nil
}

// check judges what names a Party.
func (a authority) check() error {
	if err := checkText("party_id", a.Party); err != nil {
		return err
	}
	if a.AuthVersion == nil || *a.AuthVersion < 1 {
		return errors.New("auth_version must be a number from 1")
	}
	if err := checkText("scope", a.Scope); err != nil {
		return err
	}
	return checkScope(*a.Scope)
}

func (p *accessPayload) check(t Trust, now time.Time) error {
	if err := p.common.check(FamilyAccess, t, now); err != nil {
		return err
	}
	if err := p.authority.check(); err != nil {
		return err
	}
	return checkText("client_id", p.ClientID)
}

func (p *loginPayload) check(t Trust, now time.Time) error {
	return p.common.check(FamilyLogin, t, now)
}

func (p *assertionPayload) check(t Trust, now time.Time) error {
	if err := p.common.check(FamilyAssertion, t, now); err != nil {
		return err
	}
	if err := p.authority.check(); err != nil {
		return err
	}
	return checkText("operation_id", p.OperationID)
}

// checkText refuses a text that is missing, empty, too long or not plain: with
// control characters or with white space around it.
func checkText(name string, value *string) error {
	if value == nil {
		return fmt.Errorf("%s is missing", name)
	}
	if *value == "" {
		return fmt.Errorf("%s is empty", name)
	}
	if len(*value) > maxText {
		return fmt.Errorf("%s is longer than %d bytes", name, maxText)
	}
	if !utf8.ValidString(*value) { // a token is decoded from valid text; what is signed need not be
		return fmt.Errorf("%s is not UTF-8", name)
	}
	for _, r := range *value {
		if unicode.IsControl(r) {
			return fmt.Errorf("%s has a control character", name)
		}
	}
	if first, _ := utf8.DecodeRuneInString(*value); unicode.IsSpace(first) {
		return fmt.Errorf("%s begins with white space", name)
	}
	if last, _ := utf8.DecodeLastRuneInString(*value); unicode.IsSpace(last) {
		return fmt.Errorf("%s ends with white space", name)
	}
	return nil
}
