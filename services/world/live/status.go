package live

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// How many players, operations and conflicts of an operation are listed, and how
// long the operations may take to be found.
const (
	maxPlayers    = 64
	maxOperations = 32
	maxSample     = 8
	patience      = 2 * time.Second
)

// status is what the lists beside the picture are made of.
type status struct {
	Players    []playerStatus    `json:"players"`
	More       int               `json:"more_players"`
	Operations []operationStatus `json:"operations"`
	Problem    string            `json:"problem"`
}

type playerStatus struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Feet [3]float64 `json:"feet"`
}

type operationStatus struct {
	ID        string           `json:"id"`
	Project   string           `json:"project"`
	Kind      string           `json:"kind"`
	Status    string           `json:"status"`
	Total     int              `json:"total"`
	Written   int              `json:"written"`
	Conflicts int              `json:"conflicts"`
	Sample    []conflictStatus `json:"sample"`
	Min       [3]int32         `json:"min"`
	Max       [3]int32         `json:"max"`
	Paused    bool             `json:"paused"`
	Reason    string           `json:"reason"`
}

type conflictStatus struct {
	At       [3]int32 `json:"at"`
	Expected string   `json:"expected"`
	Actual   string   `json:"actual"`
}

// poll tells viewers how players and operations are until ctx ends.
func (p *Page) poll(ctx context.Context) {
	defer close(p.announcer)
	tick := time.NewTicker(p.config.Poll)
	defer tick.Stop()
	for {
		if p.viewers.some() {
			p.viewers.show(p.look(ctx))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// look is the status now, as JSON.
func (p *Page) look(ctx context.Context) []byte {
	s := status{Players: []playerStatus{}, Operations: []operationStatus{}}
	for _, id := range p.guests.list() {
		player, in := p.config.World.Player(id)
		if !in {
			continue
		}
		s.Players = append(s.Players, playerStatus{id.String(), player.Name, rounded(player.Feet)})
	}
	slices.SortStableFunc(s.Players, func(a, b playerStatus) int { return cmp.Compare(a.Name, b.Name) })
	if s.More = max(0, len(s.Players)-maxPlayers); s.More > 0 {
		s.Players = s.Players[:maxPlayers]
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	operations, err := p.config.Operations(ctx)
	if err != nil {
		s.Problem = "The operations cannot be read now."
	}
	for _, o := range operations[:min(len(operations), maxOperations)] {
		s.Operations = append(s.Operations, o.status())
	}
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // no part of it can fail
	}
	return data
}

// rounded are coordinates of one digit after the point; what is no number is 0.
func rounded(at [3]float64) (to [3]float64) {
	for i, v := range at {
		if v = math.Round(v*10) / 10; !math.IsNaN(v) && !math.IsInf(v, 0) {
			to[i] = v
		}
	}
	return to
}

func (o *Operation) status() operationStatus {
	s := operationStatus{
		ID: o.ID.String(), Project: o.Project, Kind: o.Kind, Status: o.Status, Total: o.Total, Written: o.Written,
		Conflicts: o.Conflicts, Sample: []conflictStatus{}, Min: triple(o.Region.Min), Max: triple(o.Region.Max),
		Paused: o.Paused, Reason: o.Reason,
	}
	for _, c := range o.Sample[:min(len(o.Sample), maxSample)] {
		s.Sample = append(s.Sample, conflictStatus{triple(c.Pos), plain(c.Expected), plain(c.Actual)})
	}
	return s
}

func triple(p geom.Pos) [3]int32 { return [3]int32{p.X, p.Y, p.Z} }

// plain is a state without the game's own prefix.
func plain(state string) string { return strings.TrimPrefix(state, "minecraft:") }
