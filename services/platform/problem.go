package platform

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// failed answers a request with what an error is for its caller; what the
// caller does not see goes to the log.
func failed(w http.ResponseWriter, r *http.Request, err error) {
	if unready, ok := errors.AsType[*party.Unready](err); ok { // it has codes of its own
		problem(w, r, http.StatusForbidden, &fault.Fault{Code: fault.Code(unready.Code()), Message: unready.Unwrap().Error()})
		return
	}
	if refused, ok := errors.AsType[*access.Refusal](err); ok {
		eventOf(r.Context()).reason = refused.Reason
	}
	f := fault.From(pg.Fault(err))
	if f.Code == fault.Internal || f.Code == fault.Unavailable {
		eventOf(r.Context()).err = err
	}
	problem(w, r, f.Code.Status(), f)
}

// refused answers a request that is refused with a status before its content
// is looked at.
func refused(w http.ResponseWriter, r *http.Request, status int, message string) {
	code := fault.Invalid
	if status == http.StatusForbidden {
		code = fault.Forbidden
	}
	problem(w, r, status, fault.New(code, message))
}

// problem writes a problem document.
func problem(w http.ResponseWriter, r *http.Request, status int, f *fault.Fault) {
	eventOf(r.Context()).code = f.Code
	if status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="pharos"`) // a login or a change that fails; the gate says more
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", strconv.Itoa(f.Seconds()))
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(platformapi.ProblemModel{
		Code: platformapi.ProblemCodeModel(f.Code), Title: f.Message, Status: int64(status),
	})
}
