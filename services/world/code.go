package world

import (
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// The codes of faults beside those of the packages below.
const (
	// ResyncRequired is the answer to everybody who asks what others have changed.
	ResyncRequired fault.Code = "resync_required"
	// PermissionDenied is a caller who is not the owner, or may not do this now.
	PermissionDenied fault.Code = "permission_denied"
)

// Statuses are the HTTP statuses of codes, before ErrorCodes rename them: what is
// wrong with a request is 400, however it is wrong, and what passes is 503. Every
// other refusal is 400 (W-02).
var Statuses = map[string]int{
	string(PermissionDenied): http.StatusForbidden,
	string(journal.Busy):     http.StatusServiceUnavailable,
	string(fault.Invalid):    http.StatusBadRequest,
	string(fault.TooMany):    http.StatusServiceUnavailable,
	string(fault.Timeout):    http.StatusServiceUnavailable,
}

// ErrorCodes are the service's names for what the mount finds by itself.
var ErrorCodes = map[string]string{
	"forbidden":           string(PermissionDenied),
	"invalid_arguments":   string(fault.Invalid),
	"arguments_too_large": "too_large",
	"overloaded":          string(journal.Busy),
	string(fault.TooMany): string(journal.Busy),
}

// Unknown is what a caller is told of a write whose reply did not come.
const Unknown = "the outcome is unknown: look at project_context, or repeat exactly the same call with the same " +
	"idempotency_key; never take another key for the same build"

// RemoteCodes are ErrorCodes for a mount that asks the service by its RPC.
var RemoteCodes = map[string]string{
	"invalid_arguments":    string(fault.Invalid),
	"arguments_too_large":  "too_large",
	"overloaded":           string(journal.Busy),
	"upstream_unreachable": string(fault.Unavailable),
	"upstream_lost":        string(fault.Unavailable),
	"upstream_timeout":     string(fault.Timeout),
}
