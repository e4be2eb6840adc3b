package party

import (
	"context"
	"encoding/hex"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// Parties serves the operations of parties and of what completes their login.
type Parties struct{ *Service }

// Register makes the caller a party.
func (s Parties) Register(
	ctx context.Context, r platformapi.RegisterRequestObject,
) (platformapi.RegisterResponseObject, error) {
	c, err := access.SessionOf(ctx)
	if err != nil {
		return nil, err
	}
	p := Profile{DisplayName: r.Body.DisplayName, Email: r.Body.Email}
	if r.Body.Affiliation != nil {
		p.Affiliation = *r.Body.Affiliation
	}
	g, err := s.Service.Register(ctx, c, p)
	if err != nil {
		return nil, err
	}
	body, err := s.access.Resume(ctx, g)
	if err != nil {
		return nil, err
	}
	return platformapi.Register200JSONResponse{
		Body: body, Headers: platformapi.Register200ResponseHeaders{SetCookie: s.access.SetCookie(g)},
	}, nil
}

// ResolveIdentity tells the broker which party an identity is.
func (s Parties) ResolveIdentity(
	ctx context.Context, _ platformapi.ResolveIdentityRequestObject,
) (platformapi.ResolveIdentityResponseObject, error) {
	who, err := access.IdentityOf(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.Resolve(ctx, Identity{Issuer: who.Issuer, Subject: who.Subject, VopersonID: who.VopersonID})
	if err != nil {
		return nil, err
	}
	return platformapi.ResolveIdentity200JSONResponse{
		PartyID: r.Party.String(), AuthVersion: r.AuthVersion, Operator: r.Operator,
	}, nil
}

// AcceptAup binds the caller to the policy in effect.
func (s Parties) AcceptAup(
	ctx context.Context, r platformapi.AcceptAupRequestObject,
) (platformapi.AcceptAupResponseObject, error) {
	c, err := access.SessionOf(ctx)
	if err != nil {
		return nil, err
	}
	digest, err := hex.DecodeString(r.Body.Digest)
	if err != nil {
		return nil, fault.New(fault.Invalid, "digest must be 64 hexadecimal digits")
	}
	if err := s.Accept(ctx, c, r.Body.Version, digest); err != nil {
		return nil, err
	}
	c, err = s.access.Refresh(ctx, c)
	if err != nil {
		return nil, err
	}
	body, err := s.access.Describe(ctx, c)
	return platformapi.AcceptAup200JSONResponse(body), err
}

// GetMyParty gives the caller's party.
func (s Parties) GetMyParty(
	ctx context.Context, _ platformapi.GetMyPartyRequestObject,
) (platformapi.GetMyPartyResponseObject, error) {
	me, err := s.Me(ctx)
	if err != nil {
		return nil, err
	}
	return platformapi.GetMyParty200JSONResponse{
		Body: myPartyTo(me), Headers: platformapi.GetMyParty200ResponseHeaders{ETag: command.ETag(me.Revision)},
	}, nil
}

// UpdateMyParty changes the caller's profile.
func (s Parties) UpdateMyParty(
	ctx context.Context, r platformapi.UpdateMyPartyRequestObject,
) (platformapi.UpdateMyPartyResponseObject, error) {
	c, err := command.Of("updateMyParty", access.From(ctx).Party.String(), r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	o, err := s.Update(ctx, c, Change{DisplayName: r.Body.DisplayName, Affiliation: r.Body.Affiliation})
	return outcome(o), err
}

// GetMyPartySetup tells how far the caller's account is set up.
func (s Parties) GetMyPartySetup(
	ctx context.Context, _ platformapi.GetMyPartySetupRequestObject,
) (platformapi.GetMyPartySetupResponseObject, error) {
	c, err := access.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	setup, err := s.access.SetupOf(ctx, c)
	return platformapi.GetMyPartySetup200JSONResponse(access.SetupTo(setup)), err
}

// GetParty gives a person whom the caller may see.
func (s Parties) GetParty(
	ctx context.Context, r platformapi.GetPartyRequestObject,
) (platformapi.GetPartyResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	peer, err := s.Peer(ctx, id)
	return platformapi.GetParty200JSONResponse(peerTo(peer)), err
}

// ListParties gives a page of the people whom the caller may see.
func (s Parties) ListParties(
	ctx context.Context, r platformapi.ListPartiesRequestObject,
) (platformapi.ListPartiesResponseObject, error) {
	prefix := ""
	if r.Params.Prefix != nil {
		prefix = *r.Params.Prefix
	}
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("parties", prefix))
	if err != nil {
		return nil, err
	}
	peers, next, err := s.Peers(ctx, prefix, p)
	if err != nil {
		return nil, err
	}
	reply := platformapi.ListParties200JSONResponse{Items: []platformapi.PartyModel{}, NextCursor: next}
	for _, peer := range peers {
		reply.Items = append(reply.Items, peerTo(peer))
	}
	return reply, nil
}

// ListMyAupAcceptances gives a page of the caller's acceptances.
func (s Parties) ListMyAupAcceptances(
	ctx context.Context, r platformapi.ListMyAupAcceptancesRequestObject,
) (platformapi.ListMyAupAcceptancesResponseObject, error) {
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("acceptances"))
	if err != nil {
		return nil, err
	}
	acceptances, next, err := s.Acceptances(ctx, p)
	if err != nil {
		return nil, err
	}
	reply := platformapi.ListMyAupAcceptances200JSONResponse{Items: []platformapi.AupAcceptanceModel{}, NextCursor: next}
	for _, a := range acceptances {
		reply.Items = append(reply.Items, acceptanceTo(a))
	}
	return reply, nil
}

// ListAupVersions gives a page of the versions of the policy.
func (s Parties) ListAupVersions(
	ctx context.Context, r platformapi.ListAupVersionsRequestObject,
) (platformapi.ListAupVersionsResponseObject, error) {
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("policies"))
	if err != nil {
		return nil, err
	}
	policies, next, err := s.Policies(ctx, p)
	if err != nil {
		return nil, err
	}
	reply := platformapi.ListAupVersions200JSONResponse{Items: []platformapi.AupVersionModel{}, NextCursor: next}
	for _, policy := range policies {
		reply.Items = append(reply.Items, versionTo(policy))
	}
	return reply, nil
}

// GetAupVersion gives one version of the policy with its text.
func (s Parties) GetAupVersion(
	ctx context.Context, r platformapi.GetAupVersionRequestObject,
) (platformapi.GetAupVersionResponseObject, error) {
	policy, err := s.Policy(ctx, r.Version)
	return platformapi.GetAupVersion200JSONResponse(textTo(policy)), err
}
