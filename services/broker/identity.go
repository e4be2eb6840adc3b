package broker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// The bounds of asking the platform who somebody is.
const (
	identityTime = 5 * time.Second
	maxIdentity  = 4 << 10 // bytes
)

// identities asks the platform's private endpoint (contract E-28).
type identities struct {
	config Config
	now    func() time.Time
	http   http.Client
}

func newIdentities(c Config, now func() time.Time) *identities {
	return &identities{config: c, now: now, http: http.Client{
		Timeout: identityTime,
		// A connection that the platform closes meanwhile would cost a request:
		// an assertion is for one use, so that none is sent twice.
		Transport:     &http.Transport{Proxy: nil, MaxResponseHeaderBytes: 16 << 10, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// party is who an identity is to the platform.
type party struct {
	ID          string
	AuthVersion int64
	Operator    bool
}

// same reports whether nothing of a party's authority has changed, but for
// operator enrolment.
func (p party) same(before party) bool {
	return p.ID == before.ID && p.AuthVersion == before.AuthVersion
}

// unsettled is an identity that the platform cannot grant anything to: before
// the person has finished its ordinary login, or while they are kept out.
type unsettled struct{ code string }

// Error names the reason.
func (u unsettled) Error() string { return "the platform says " + u.code }

// unsettledCodes are the platform's reasons, by the code of its problem document.
var unsettledCodes = []string{"not_registered", "setup_required", "aup_required", "deactivated"}

// errPlatformDown is a platform that gave no answer that can be believed.
var errPlatformDown = errors.New("the platform does not answer")

// resolve asks once who an identity is. The error is unsettled, or wraps
// errPlatformDown.
func (i *identities) resolve(ctx context.Context, who token.Identity) (party, error) {
	p, err := i.ask(ctx, who)
	if err == nil {
		return p, nil
	}
	if u, ok := errors.AsType[unsettled](err); ok {
		return party{}, u
	}
	return party{}, fmt.Errorf("%w: %w", errPlatformDown, err)
}

func (i *identities) ask(ctx context.Context, who token.Identity) (party, error) {
	now := i.now()
	assertion, err := i.config.Signer.Login(token.Login{Claims: token.Claims{
		Issuer: i.config.Issuer, Audience: token.AudienceLogin, Subject: who.Subject, ID: rand.Text(),
		IssuedAt: now, Expires: now.Add(token.LifetimeLogin), Identity: who,
	}})
	if err != nil {
		return party{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, i.config.Identity, io.NopCloser(strings.NewReader("{}")))
	if err != nil {
		return party{}, err
	}
	r.ContentLength = 2 // a body that cannot be read again is sent once
	r.Header.Set("Authorization", "Bearer "+assertion)
	r.Header.Set("Content-Type", "application/json")
	reply, err := i.http.Do(r)
	if err != nil {
		return party{}, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(io.LimitReader(reply.Body, maxIdentity+1))
	if err != nil {
		return party{}, err
	}
	if len(body) > maxIdentity {
		return party{}, errors.New("the reply is too large")
	}
	switch reply.StatusCode {
	case http.StatusOK:
		return readParty(body)
	case http.StatusForbidden:
		return party{}, readReason(body)
	default:
		return party{}, fmt.Errorf("status %d", reply.StatusCode)
	}
}

func readParty(body []byte) (party, error) {
	var answer struct {
		Party       *string `json:"party_id"`
		AuthVersion *int64  `json:"auth_version"`
		Operator    *bool   `json:"operator"`
	}
	if err := strictjson.Exact([]byte(strings.TrimSpace(string(body))), &answer); err != nil {
		return party{}, err
	}
	if answer.Party == nil || !plain(*answer.Party) || answer.AuthVersion == nil || *answer.AuthVersion < 1 || answer.Operator == nil {
		return party{}, errors.New("the reply lacks a member, or has one that cannot be")
	}
	return party{*answer.Party, *answer.AuthVersion, *answer.Operator}, nil
}

// readReason reads the code of a problem document.
func readReason(body []byte) error {
	var problem struct {
		Code *string `json:"code"`
	}
	if err := strictjson.Known(body, &problem); err != nil {
		return err
	}
	if problem.Code != nil && slices.Contains(unsettledCodes, *problem.Code) {
		return unsettled{*problem.Code}
	}
	return errors.New("refused for a reason that is not known here")
}
