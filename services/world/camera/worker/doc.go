// Package worker draws pictures for a world, in a process of its own: it gets a
// snapshot and a pose, and holds no key but its own (W-51). Client is the other
// side.
package worker
