package blocks

import (
	"slices"
	"strings"
)

// Policy says which states a plan may place.
type Policy struct {
	// Classes are allowed as a whole, but for single states: leaves must be
	// persistent, doors and trapdoors unpowered, and nothing is waterlogged.
	Classes []Class
	// Allow names blocks that are in none of these classes. Blocks with a block
	// entity, fluids and what falls stay refused.
	Allow []string
	// Deny names blocks that are refused whatever else is said.
	Deny []string
}

// DefaultPolicy allows building blocks.
func DefaultPolicy() Policy { return Policy{Classes: Building()} }

// demanded are values that single properties must have in any plan, whatever
// the block: the others come from the world, not from a plan.
var demanded = []Property{{"persistent", "true"}, {"powered", "false"}, {"waterlogged", "false"}}

// Allowed returns nil where the policy lets a plan place the canonical state,
// else an *Error that says why not.
func (p *Pack) Allowed(policy Policy, state string) error {
	k, _ := p.kindOf(state)
	refuse := func(reason, detail string) error { return &Error{shown(state), reason, detail} }
	switch {
	case k == nil:
		return refuse("no such block", "in "+p.version)
	case listed(policy.Deny, k.name):
		return refuse("denied", "the project's policy names it")
	}
	if reason := never(k); reason != "" {
		return refuse(reason, "")
	}
	if !slices.Contains(policy.Classes, k.class) && !listed(policy.Allow, k.name) {
		if k.class != "" {
			return refuse("class "+string(k.class), "the project's policy does not allow it")
		}
		return refuse("no building block", "")
	}
	_, properties := Split(state)
	for _, d := range demanded {
		for _, q := range properties {
			if q.Name == d.Name && q.Value != d.Value {
				return refuse("property "+d.Name, "must be "+d.Value)
			}
		}
	}
	return nil
}

// never says why no policy allows a kind, or "".
func never(k *kind) string {
	switch {
	case withEntity.has(k.name):
		return "block entity"
	case fluid.has(k.name):
		return "fluid"
	case falling.has(k.name):
		return "falls"
	}
	return ""
}

// listed reports whether a list of a policy names a block, with its namespace
// or without.
func listed(list []string, name string) bool {
	return slices.Contains(list, name) || slices.Contains(list, strings.TrimPrefix(name, namespace))
}
