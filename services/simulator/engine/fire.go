package engine

import (
	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Status is what one sees of a building. One that burned and was saved is
// normal again, and burns no more.
type Status int

// The statuses.
const (
	Normal Status = iota
	Burning
	Collapsed
)

var statuses = [...]string{"normal", "burning", "collapsed"}

// String names the status as the API does.
func (s Status) String() string { return statuses[s] }

// fire is a fire in a building of a class and a size.
type fire struct {
	intensity, damage, age int64
}

// ignite begins a fire.
func ignite(class city.Class) fire { return fire{intensity: materials[class].growth} }

// step lets a fire burn for a tick against a crew, and says what the building
// is afterwards. Out of a fire that goes out nothing more is done to it.
func (f *fire) step(class city.Class, size int64, crew int) Status {
	m := &materials[class]
	grown := f.intensity + m.growth + 2*geo.Isqrt(m.growth*f.intensity)
	f.intensity = min(m.peak*size, grown) - power[min(crew, len(power)-1)]
	if f.intensity <= 0 {
		f.intensity = 0
		return Normal
	}
	f.damage += f.intensity
	if f.damage >= m.collapse*size {
		return Collapsed
	}
	return Burning
}
