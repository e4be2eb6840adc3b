package project

// Role is what a party is in a project. Each role may do what the ones before
// it may.
type Role string

// The roles, the least first.
const (
	Viewer     Role = "viewer"     // reads everything
	Member     Role = "member"     // works: makes pipelines, submits runs, opens tickets
	Maintainer Role = "maintainer" // looks after the work of all, and after members and viewers
	Owner      Role = "owner"      // archives, restores and deletes the project, and gives every role
)

// ranks orders the roles; a role that is not listed is below all.
var ranks = map[Role]int{Viewer: 1, Member: 2, Maintainer: 3, Owner: 4}

// Has reports whether a role is another one or above it.
func (r Role) Has(least Role) bool { return ranks[r] >= ranks[least] }

// mayGive reports whether one with a role may turn a member from one role into
// another; "" stands for no membership.
func (r Role) mayGive(from, to Role) bool {
	switch r {
	case Owner:
		return true
	case Maintainer:
		return !from.Has(Maintainer) && !to.Has(Maintainer)
	default:
		return false
	}
}
