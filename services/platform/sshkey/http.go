package sshkey

import (
	"context"
	"errors"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// ListSshKeys gives a page of the caller's keys.
func (k *Keys) ListSshKeys(
	ctx context.Context, r platformapi.ListSshKeysRequestObject,
) (platformapi.ListSshKeysResponseObject, error) {
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("keys"))
	if err != nil {
		return nil, err
	}
	keys, next, err := k.List(ctx, p)
	if err != nil {
		return nil, err
	}
	return platformapi.ListSshKeys200JSONResponse(keysTo(keys, next)), nil
}

// GetSshKey gives one key.
func (k *Keys) GetSshKey(
	ctx context.Context, r platformapi.GetSshKeyRequestObject,
) (platformapi.GetSshKeyResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	key, err := k.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return platformapi.GetSshKey200JSONResponse{
		Body: keyTo(key), Headers: platformapi.GetSshKey200ResponseHeaders{ETag: command.ETag(key.Revision)},
	}, nil
}

// AddSshKey adds a key.
func (k *Keys) AddSshKey(
	ctx context.Context, r platformapi.AddSshKeyRequestObject,
) (platformapi.AddSshKeyResponseObject, error) {
	c, err := command.Of("addSshKey", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	made, err := k.Add(ctx, c, r.Body.Name, r.Body.PublicKey)
	if err != nil {
		return nil, err
	}
	if made.Rejection != "" {
		return outcome(made.Outcome), nil
	}
	return platformapi.AddSshKey201JSONResponse{
		Body: keyTo(made.Value), Headers: platformapi.AddSshKey201ResponseHeaders{ETag: command.ETag(made.Version)},
	}, nil
}

// RenameSshKey gives a key another name.
func (k *Keys) RenameSshKey(
	ctx context.Context, r platformapi.RenameSshKeyRequestObject,
) (platformapi.RenameSshKeyResponseObject, error) {
	c, err := command.Of("renameSshKey", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := k.Rename(ctx, c, r.Body.Name)
	return outcome(done.Outcome), err
}

// DeleteSshKey removes a key.
func (k *Keys) DeleteSshKey(
	ctx context.Context, r platformapi.DeleteSshKeyRequestObject,
) (platformapi.DeleteSshKeyResponseObject, error) {
	c, err := command.Of("deleteSshKey", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := k.Delete(ctx, c)
	return outcome(done.Outcome), err
}

// ValidateSshKey says what Parse makes of a line. It touches no database.
func (k *Keys) ValidateSshKey(
	_ context.Context, r platformapi.ValidateSshKeyRequestObject,
) (platformapi.ValidateSshKeyResponseObject, error) {
	key, err := Parse(r.Body.PublicKey)
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		problem := platformapi.KeyProblemModel(refusal.Reason)
		return platformapi.ValidateSshKey200JSONResponse{Problem: &problem, Reason: &refusal.Detail}, nil
	}
	if err != nil {
		return nil, err
	}
	algorithm, bits := platformapi.KeyAlgorithmModel(key.Type), int64(key.Bits)
	return platformapi.ValidateSshKey200JSONResponse{
		Valid: true, Algorithm: &algorithm, Bits: &bits, Fingerprint: &key.Fingerprint, Comment: &key.Comment,
	}, nil
}
