package blocks

import (
	"io/fs"
	"slices"
	"sync"
)

// Default is the version that a world has unless somebody says otherwise.
const Default = "1.20.2"

// namespace is the one that every block of the tables is in.
const namespace = "minecraft:"

// Pack is the table of one version. It does not change and is safe for
// concurrent use.
type Pack struct {
	version     string
	dataVersion int32
	kinds       map[string]*kind // by name, with the namespace
	owners      []*kind          // by id of a state
	states      []string         // by id
	ids         map[string]int32 // by state
	shapes      [][]AABB
}

// loaded makes each pack once.
var loaded sync.Map // version → func() (*Pack, error)

// Load returns the pack of a version. Its error says that there is none.
func Load(version string) (*Pack, error) {
	if !slices.Contains(Versions(), version) {
		return nil, &VersionError{version}
	}
	once, _ := loaded.LoadOrStore(version, sync.OnceValues(func() (*Pack, error) { return load(version) }))
	return once.(func() (*Pack, error))()
}

// VersionError is a version that there is no pack of.
type VersionError struct{ Version string }

func (e *VersionError) Error() string {
	return "there is no pack of version " + shown(e.Version)
}

// Versions are all that Load knows, in order of their names.
func Versions() []string {
	folders, err := fs.ReadDir(tables, "data")
	if err != nil {
		panic("blocks: " + err.Error()) // the folder is embedded
	}
	var versions []string
	for _, folder := range folders {
		if folder.IsDir() {
			versions = append(versions, folder.Name())
		}
	}
	return versions
}

func load(version string) (*Pack, error) {
	p, err := readTable(version)
	if err != nil {
		return nil, err
	}
	p.states = make([]string, len(p.owners))
	p.ids = make(map[string]int32, len(p.owners))
	for id, k := range p.owners {
		p.states[id] = k.state(int32(id))
		p.ids[p.states[id]] = int32(id)
	}
	for _, k := range p.kinds {
		k.class = p.classOf(k)
		k.needs, k.perhaps = of(needs, k.name), of(perhaps, k.name)
	}
	return p, nil
}

// state writes a state of a kind.
func (k *kind) state(id int32) string {
	properties := make([]Property, len(k.properties))
	rest := int(id - k.first)
	for i := len(properties) - 1; i >= 0; i-- {
		c := k.properties[i]
		properties[i] = Property{c.name, c.values[rest%len(c.values)]}
		rest /= len(c.values)
	}
	return Join(k.name, properties)
}

// Version is the version's name: "1.20.2".
func (p *Pack) Version() string { return p.version }

// DataVersion is the number that the version's files carry.
func (p *Pack) DataVersion() int32 { return p.dataVersion }

// Count is the number of states. Their ids are 0 to Count()-1.
func (p *Pack) Count() int { return len(p.states) }

// ID is the version's number of a canonical state.
func (p *Pack) ID(state string) (int32, bool) {
	id, ok := p.ids[state]
	return id, ok
}

// State is the canonical state of an id.
func (p *Pack) State(id int32) (string, bool) {
	if id < 0 || int(id) >= len(p.states) {
		return "", false
	}
	return p.states[id], true
}

// Known reports whether the text is a canonical state of the version.
func (p *Pack) Known(state string) bool {
	_, ok := p.ids[state]
	return ok
}

// kindOf is the kind of a canonical state and its id, or nil.
func (p *Pack) kindOf(state string) (*kind, int32) {
	id, ok := p.ids[state]
	if !ok {
		return nil, 0
	}
	return p.owners[id], id
}
