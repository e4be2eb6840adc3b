package access

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// need is what an operation asks of its caller.
type need int

const (
	nobody   need = iota // it is not served here
	anyone               // no credential
	session              // the session of a login, whatever its standing
	holder               // the session of a Party that may do business
	early                // a scope, whatever the standing
	business             // a Party that may do business, and a scope
)

// others are the operations that are no tools, by their names in lower case.
// What is not listed here or in the catalog is refused.
var others = map[string]rule{
	"health":            {need: anyone},
	"ready":             {need: anyone},
	"version":           {need: anyone},
	"login":             {need: anyone},
	"logout":            {need: session},
	"getsession":        {need: session},
	"register":          {need: session},
	"acceptaup":         {need: session},
	"changepassword":    {need: session},
	"listaccesstokens":  {need: session},
	"createaccesstoken": {need: holder},
	"deleteaccesstoken": {need: session},
	"streamevents":      {need: business, scope: "runs:read"},
	"listexecutors":     {need: nobody},
	"resolveidentity":   {need: nobody},
}

// earlies are the business operations that tell what is left to do before
// business can be done.
var earlies = map[string]bool{"getmypartysetup": true, "listaupversions": true, "getaupversion": true}

// rule is what one operation needs.
type rule struct {
	need  need
	scope string // of business
	tool  string // the operation's id in the catalog, "" for what is no tool
}

// operationName is how an operation is looked up: generated code spells some
// letters of its name another way than the document.
func operationName(id string) string { return strings.ToLower(id) }

func (s *Service) ruleOf(name string) (rule, error) {
	key := operationName(name)
	if op, ok := s.business[key]; ok && earlies[key] {
		return rule{early, op.Scope, op.ID}, nil
	} else if ok {
		return rule{business, op.Scope, op.ID}, nil
	}
	if r, ok := others[key]; ok {
		return r, nil
	}
	return rule{}, fmt.Errorf("access: nothing says who may call %s", name)
}

// Middleware returns what a generated server takes as a strict middleware; H is
// its StrictHandlerFunc. It lets a caller do what they may, behind the Gate, and
// gives business operations their Principal.
func Middleware[H ~func(context.Context, http.ResponseWriter, *http.Request, any) (any, error)](
	s *Service,
) func(next H, name string) H {
	return func(next H, name string) H {
		return func(ctx context.Context, w http.ResponseWriter, r *http.Request, request any) (any, error) {
			rule, err := s.ruleOf(name)
			if err != nil {
				return nil, err
			}
			if ctx, err = admit(ctx, w, rule); err != nil {
				return nil, err
			}
			return next(ctx, w, r, request)
		}
	}
}

// admit holds the caller of an operation to its rule.
func admit(ctx context.Context, w http.ResponseWriter, r rule) (context.Context, error) {
	// An assertion is for the one tool that it names, and for nothing that is none.
	if c := visitOf(ctx).caller; c != nil && c.Operation != "" && c.Operation != r.tool {
		return ctx, invalidToken(w, errOtherOperation)
	}
	switch r.need {
	case anyone:
		return ctx, nil
	case nobody:
		return ctx, fault.New(fault.NotFound, "there is no such operation here")
	}
	of := CallerOf
	if r.need == session || r.need == holder {
		of = SessionOf
	}
	caller, err := of(ctx)
	if err != nil || r.need == session {
		return ctx, err
	}
	if err := caller.Standing.Required(); err != nil && (r.need != early || caller.Standing == Deactivated) {
		return ctx, err
	}
	p := caller.Principal()
	if r.need != holder && !p.Allows(r.scope) {
		return ctx, lacking(w, p, r.scope)
	}
	return With(ctx, p), nil
}

// lacking is the fault of a principal without a scope. One that a token could
// hold is named in the challenge, too.
func lacking(w http.ResponseWriter, p Principal, scope string) error {
	if isAdmin(scope) && !p.Operator {
		return fault.New(fault.Forbidden, "this is for operators")
	}
	w.Header().Set("WWW-Authenticate", challenge("insufficient_scope", scope))
	return fault.Newf(fault.Forbidden, "the token lacks the scope %s", scope)
}
