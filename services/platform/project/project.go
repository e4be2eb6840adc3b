package project

// State is the state of a project.
type State string

// The states. A deleted project has no members, so that nobody sees it.
const (
	active   State = "active"
	archived State = "archived"
	deleted  State = "deleted"
)
