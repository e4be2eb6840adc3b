package simulator

import (
	"strconv"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/simulatorapi"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// at refuses a change that expects another tick, or comes when nothing runs.
func (s *Service) at(expected int64) error {
	if s.run.lifecycle() != "running" {
		return s.wrongLifecycle()
	}
	if tick := s.run.episode.Tick(); tick != expected {
		return fault.Newf(fault.Code(engine.TickMismatch), "it is tick %d, not %d; nothing was changed: call status and go on from there", tick, expected)
	}
	return nil
}

func (s *Service) wrongLifecycle() error {
	return fault.Newf(fault.Code(engine.WrongLifecycle), "the lifecycle is %s; call start_episode to begin a run", s.run.lifecycle())
}

// spotOf reads one end of a way. Its schema has seen that there is one.
func spotOf(s simulatorapi.SpotModel) (engine.Spot, error) {
	if s.VehicleID != nil {
		return engine.Spot{Vehicle: *s.VehicleID}, nil
	}
	if s.Point == nil {
		return engine.Spot{}, fault.New(fault.Code(engine.InvalidArgument), "a spot is a vehicle_id or a point")
	}
	p, err := pointOf(*s.Point)
	return engine.Spot{Point: p}, err
}

// pointOf reads a point. Its numbers went through a float, whose shortest
// decimal is what was sent, if that had at most 15 digits.
func pointOf(p simulatorapi.PointModel) (geo.Point, error) {
	var read [2]int64
	for i, v := range [...]float64{p.X, p.Y} {
		var err error
		if read[i], err = geo.ParseTenths(strconv.FormatFloat(v, 'f', -1, 64)); err != nil {
			return geo.Point{}, fault.Newf(fault.Code(engine.InvalidArgument), "a coordinate is %v", err)
		}
	}
	return geo.Point{X: read[0], Y: read[1]}, nil
}

// tokensOf reads what the roles have used; what is left out is zero.
func tokensOf(said simulatorapi.TokensModel) tokens {
	return tokens{countOf(said.Intake), countOf(said.Dispatch)}
}

func countOf(said *simulatorapi.TokenCountModel) (c tokenCount) {
	if said == nil {
		return c
	}
	for to, from := range map[*int64]*int64{&c.Read: said.Read, &c.Write: said.Write, &c.CacheRead: said.CacheRead} {
		if from != nil {
			*to = *from
		}
	}
	return c
}
