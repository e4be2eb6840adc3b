package clients

import "github.com/pharos-mcp/pharos/generators/internal/spec"

// breakCycles makes a pointer of every field through which a value would
// contain itself.
func (m *models) breakCycles() {
	for _, name := range sortedKeys(m.all) {
		d := m.all[name]
		kept := d.holds[:0]
		for _, h := range d.holds {
			if h.property != nil && m.contains(h.model, name, map[string]bool{}) {
				h.property.Set("nullable", spec.NewBool(true))
				continue
			}
			kept = append(kept, h)
		}
		d.holds = kept
	}
}

// contains reports whether a value of the one model has one of the other
// inside it.
func (m *models) contains(outer, inner string, seen map[string]bool) bool {
	if outer == inner {
		return true
	}
	if seen[outer] || m.all[outer] == nil {
		return false
	}
	seen[outer] = true
	for _, h := range m.all[outer].holds {
		if m.contains(h.model, inner, seen) {
			return true
		}
	}
	return false
}

// reach adds a model and every model it mentions to a set.
func (m *models) reach(name string, set map[string]bool) {
	if set[name] || m.all[name] == nil {
		return
	}
	set[name] = true
	for _, ref := range m.all[name].refs {
		m.reach(ref, set)
	}
}
