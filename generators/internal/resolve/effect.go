package resolve

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

var scopeForm = regexp.MustCompile(`^([a-z][a-z0-9_-]*):(read|write|admin)$`)

// Owner reports whether scopes can be of the owner.
func Owner(name string) bool { return scopeForm.MatchString(name + ":read") }

// effect checks what a decision says an operation does against its method
// (E-03). A handler's operation does what its decision says: its method is
// only a way to write it down.
func (r *resolver) effect(b bound) {
	e := b.decision
	if b.catalog.Binding != "http" || e.Effect == "" {
		return
	}
	place := e.Place("effect")
	switch b.op.Method {
	case "GET", "HEAD", "OPTIONS", "TRACE":
		if e.Effect != "read" {
			r.problem(place, "E-03", fmt.Sprintf("%s is classified as a %s", describe(b.op), e.Effect),
				fmt.Sprintf(`a %s can be nothing but a read: write "effect": "read"`, b.op.Method))
		}
	case "POST":
		if e.Effect == "read" && !strings.ContainsFunc(e.Reason, unicode.IsLetter) {
			r.problem(place, "E-03", describe(b.op)+" is classified as a read without a reason",
				`add "reason": why it changes nothing; or write "effect": "write"`)
		}
	case "DELETE":
		if e.Effect == "read" || e.Effect == "write" && !strings.ContainsFunc(e.Reason, unicode.IsLetter) {
			r.problem(place, "E-03", fmt.Sprintf("%s is classified as a %s", describe(b.op), e.Effect),
				`write "effect": "delete"; or "write" with a "reason" if it destroys nothing`)
		}
	default:
		if e.Effect == "read" {
			r.problem(place, "E-03", describe(b.op)+" is a write classified as a read",
				`write "effect": "write" or "delete"`)
		}
	}
}

// scope checks the scope against owner, effect and operator mark (E-02).
func (r *resolver) scope(b bound) {
	e := b.decision
	if e.Scope == "" {
		return
	}
	place := e.Place("scope")
	m := scopeForm.FindStringSubmatch(e.Scope)
	if m == nil {
		r.problem(place, "E-02", fmt.Sprintf(`"%s" is no scope`, e.Scope), "write OWNER:read, OWNER:write or OWNER:admin")
		return
	}
	owner, level := m[1], m[2]
	if want := b.owner(); want != "" && owner != want {
		r.problem(place, "E-02",
			fmt.Sprintf("scope %s of %s belongs to another owner than %s", e.Scope, describe(b.op), want),
			fmt.Sprintf(`write "%s:%s", or give the operation the owner "%s"`, want, level, owner))
	}
	switch {
	case b.op.Operator && level != "admin":
		r.problem(place, "E-02", fmt.Sprintf("%s is an operator route with scope %s", describe(b.op), e.Scope),
			fmt.Sprintf(`write "%s:admin"`, owner))
	case (e.Effect == "write" || e.Effect == "delete") && level == "read":
		r.problem(place, "E-02", fmt.Sprintf("%s is a %s with scope %s", describe(b.op), e.Effect, e.Scope),
			fmt.Sprintf(`write "%s:write" or "%s:admin"`, owner, owner))
	}
}

// owner is whose operation it is: the decision says it before the document,
// and the operation before both defaults.
func (b bound) owner() string {
	for _, owner := range []string{b.decision.Owner, b.op.Owner, b.document.Owner} {
		if owner != "" {
			return owner
		}
	}
	return ""
}
