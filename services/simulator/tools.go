package simulator

import (
	"context"
	"strconv"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/simulator"
	"github.com/pharos-mcp/pharos/generated/simulatorapi"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// ListScenarios implements catalog.Handler.
func (s *Service) ListScenarios(ctx context.Context, _ *catalog.ListScenariosInput) (tool.RawJSON, error) {
	unlock, err := s.held(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	b := s.head()
	b = append(b, `,"scenarios":[`...)
	for i, scenario := range engine.Scenarios() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendScenario(b, scenario)
	}
	return append(b, "]}"...), nil
}

// StartEpisode implements catalog.Handler.
func (s *Service) StartEpisode(ctx context.Context, in *catalog.StartEpisodeInput) (tool.RawJSON, error) {
	unlock, err := s.held(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	scenario, ok := engine.Find(in.Body.ScenarioID)
	if !ok {
		return nil, fault.New(fault.Code(engine.UnknownScenario), "there is no scenario of this id; list_scenarios names them all")
	}
	seed := scenario.Template.Seed
	if in.Body.Seed != nil {
		seed = *in.Body.Seed
	}
	begun, err := s.begin(scenario, seed)
	if err != nil {
		return nil, told(err)
	}
	s.archive(replaced)
	s.run, s.shown = begun, begun
	s.revision++
	return append(s.appendObservation(s.head()), '}'), nil
}

// Status implements catalog.Handler.
func (s *Service) Status(ctx context.Context, _ *catalog.StatusInput) (tool.RawJSON, error) {
	unlock, err := s.held(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	b := s.head()
	if s.run.unseen() {
		return append(b, `,"pending":[]}`...), nil
	}
	e := s.run.episode
	b = strconv.AppendInt(append(b, `,"tick_limit":`...), engine.TickLimit, 10)
	b = append(append(append(b, `,"scenario_id":"`...), e.Scenario().ID...), `","map_id":"`...)
	b = append(append(b, e.Scenario().MapID...), '"')
	if e.TerminalReason() != "" {
		b = append(append(append(b, `,"terminal_reason":"`...), e.TerminalReason()...), '"')
	}
	b = s.appendObservation(s.appendPending(b))
	if e.TerminalReason() != "" {
		b = appendOutcome(append(b, `,"outcome":`...), e)
	}
	return append(b, '}'), nil
}

// BuildingToCoords implements catalog.Handler.
func (s *Service) BuildingToCoords(ctx context.Context, in *catalog.BuildingToCoordsInput) (tool.RawJSON, error) {
	unlock, err := s.held(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s.run.unseen() {
		return nil, s.wrongLifecycle()
	}
	p, err := s.run.episode.BuildingPoint(in.Body.BuildingID)
	if err != nil {
		return nil, told(err)
	}
	b := append(append(append(s.head(), `,"building_id":"`...), in.Body.BuildingID...), `","point":`...)
	return append(geo.AppendPoint(b, p), '}'), nil
}

// TravelTime implements catalog.Handler.
func (s *Service) TravelTime(ctx context.Context, in *catalog.TravelTimeInput) (tool.RawJSON, error) {
	unlock, err := s.held(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s.run.unseen() {
		return nil, s.wrongLifecycle()
	}
	var ends [2]engine.Spot
	for i, spot := range [...]simulatorapi.SpotModel{in.Body.From, in.Body.To} {
		if ends[i], err = spotOf(spot); err != nil {
			return nil, err
		}
	}
	route, err := s.run.episode.TravelTime(ends[0], ends[1])
	if err != nil {
		return nil, told(err)
	}
	b := geo.AppendTenths(append(s.head(), `,"distance":`...), route.Total)
	b = strconv.AppendInt(append(b, `,"eta_ticks":`...), engine.Ticks(route.Total), 10)
	return append(s.run.episode.AppendWay(append(b, ','), route.Legs), '}'), nil
}

// Dispatch implements catalog.Handler.
func (s *Service) Dispatch(ctx context.Context, in *catalog.DispatchInput) (tool.RawJSON, error) {
	unlock, err := s.held(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := s.at(in.Body.ExpectedTick); err != nil {
		return nil, err
	}
	to, err := pointOf(in.Body.Destination)
	if err != nil {
		return nil, err
	}
	if s.run.given >= mostCommands {
		return nil, fault.Newf(fault.Code(engine.InvalidArgument), "there are %d commands in this tick, which is all that it takes", mostCommands)
	}
	e := s.run.episode
	c, superseded, err := e.Dispatch(in.Body.VehicleID, in.Body.IncidentID, in.Body.Rationale, to)
	if err != nil {
		return nil, told(err)
	}
	s.run.given++
	s.revision++
	b := e.AppendOrder(append(s.head(), `,"accepted":true,"command":`...), c)
	b = append(s.appendPending(b), `,"superseded":[`...)
	for i, id := range superseded {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), id...), '"')
	}
	return append(b, "]}"...), nil
}

// NextTick implements catalog.Handler.
func (s *Service) NextTick(ctx context.Context, in *catalog.NextTickInput) (tool.RawJSON, error) {
	unlock, err := s.held(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := s.at(in.Body.ExpectedTick); err != nil {
		return nil, err
	}
	r := s.run
	result, err := s.step(r)
	if err != nil {
		return nil, err
	}
	if in.Body.Tokens != nil {
		r.tokens = tokensOf(*in.Body.Tokens)
	}
	b := append(s.head(), `,"committed_commands":[`...)
	for i, c := range result.Committed {
		if i > 0 {
			b = append(b, ',')
		}
		b = r.episode.AppendCommand(b, c)
	}
	b = append(b, `],"events":[`...)
	for i, event := range result.Events {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"type":"`...), event.Type...), `","vehicle_id":"`...)
		b = append(append(b, event.Vehicle...), `"}`...)
	}
	b = s.appendObservation(append(b, ']'))
	if reason := r.episode.TerminalReason(); reason == "" {
		b = append(b, `,"terminal_reason":null,"outcome":null`...)
	} else {
		b = append(append(append(b, `,"terminal_reason":"`...), reason...), `","outcome":`...)
		b = appendOutcome(b, r.episode)
	}
	return append(b, '}'), nil
}
