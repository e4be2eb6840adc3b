package project

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/strictjson"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// document is the file. What is a pointer may be missing.
type document struct {
	Version  int       `json:"version"`
	Projects []entry   `json:"projects"`
	Players  []visitor `json:"players"`
}

// entry is a project of the file.
type entry struct {
	ID            string     `json:"id"`
	Owner         string     `json:"owner"`
	Permissions   *[]string  `json:"permissions"`
	Area          *area      `json:"area"`
	MaxPlanBlocks *int       `json:"max_plan_blocks,omitempty"`
	Blocks        *blockList `json:"blocks,omitempty"`
	Extensions    []string   `json:"extensions,omitempty"`
}

type area struct {
	Min *position `json:"min"`
	Max *position `json:"max"`
}

type position struct {
	X *int32 `json:"x"`
	Y *int32 `json:"y"`
	Z *int32 `json:"z"`
}

// blockList says which blocks may be placed. Without classes there are those of
// building blocks.
type blockList struct {
	Classes *[]string `json:"classes,omitempty"`
	Allow   []string  `json:"allow,omitempty"`
	Deny    []string  `json:"deny,omitempty"`
}

// visitor is what a player may do by hand: a UUID, a name, or "*" for all others.
type visitor struct {
	Player      string   `json:"player"`
	Permissions []string `json:"permissions"`
}

// rule is a visitor that was checked. A name is in small letters.
type rule struct {
	player  string
	actions []Action
}

const everybody = "*"

// problems collects all that is wrong with a file.
type problems []string

func (p *problems) add(where, format string, args ...any) {
	*p = append(*p, where+": "+fmt.Sprintf(format, args...))
}

// parse reads a file and tells of everything that is wrong with it.
func parse(data []byte, c Config) (contents, error) {
	var d document
	if err := strictjson.Unmarshal(data, &d); err != nil {
		return contents{}, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	var p problems
	if d.Version != 1 {
		p.add("version", "%d is not 1", d.Version)
	}
	if len(d.Projects) > MaxProjects {
		p.add("projects", "%d are more than %d", len(d.Projects), MaxProjects)
	}
	if len(d.Players) > MaxPlayers {
		p.add("players", "%d are more than %d", len(d.Players), MaxPlayers)
	}
	out := contents{projects: map[string]Project{}}
	for i, e := range d.Projects {
		where := fmt.Sprintf("projects[%d]", i)
		one := e.read(where, c, &p)
		if _, twice := out.projects[one.ID]; twice {
			p.add(where+".id", "%q is there twice", one.ID)
		}
		out.projects[one.ID] = one
		out.listed = append(out.listed, one)
	}
	for i, v := range d.Players {
		where := fmt.Sprintf("players[%d]", i)
		r := v.read(where, &p)
		if slices.ContainsFunc(out.players, func(o rule) bool { return o.player == r.player }) {
			p.add(where+".player", "%q is there twice", v.Player)
		}
		out.players = append(out.players, r)
	}
	if len(p) > 0 {
		return contents{}, errors.New(strings.Join(p, "; "))
	}
	return out, nil
}

var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func (e entry) read(where string, c Config, p *problems) Project {
	one := Project{ID: e.ID, MaxPlanBlocks: MaxPlanBlocks, Policy: blocks.DefaultPolicy()}
	if !idForm.MatchString(e.ID) {
		p.add(where+".id", "%.80q is not 1 to 64 letters, digits, underscores and hyphens", e.ID)
	}
	owner, err := uuid.Parse(e.Owner)
	if err != nil || owner.String() != e.Owner {
		p.add(where+".owner", "%.80q is not a UUID in small letters", e.Owner)
	}
	one.Owner = owner
	if e.Permissions == nil {
		p.add(where+".permissions", "is missing; an empty list allows nothing")
	} else {
		one.Permissions = closed(where+".permissions", *e.Permissions, permissions, p)
	}
	one.Area = e.Area.read(where+".area", c.Bounds, p)
	if e.MaxPlanBlocks != nil {
		if one.MaxPlanBlocks = *e.MaxPlanBlocks; one.MaxPlanBlocks < 1 || one.MaxPlanBlocks > MaxPlanBlocks {
			p.add(where+".max_plan_blocks", "%d is not 1 to %d", one.MaxPlanBlocks, MaxPlanBlocks)
		}
	}
	one.Extensions = closed(where+".extensions", e.Extensions, extensions, p)
	if e.Blocks != nil {
		one.Policy = e.Blocks.read(where+".blocks", c.Pack, p)
	}
	for _, x := range []struct {
		on    Extension
		class blocks.Class
	}{{Connecting, blocks.Connecting}, {Attached, blocks.Attached}} {
		if one.Has(x.on) {
			one.Policy.Classes = append(one.Policy.Classes, x.class)
		}
	}
	return one
}

func (a *area) read(where string, bounds geom.Box, p *problems) geom.Box {
	if a == nil {
		p.add(where, `is missing; it is {"min": {"x", "y", "z"}, "max": {"x", "y", "z"}}`)
		return geom.Box{}
	}
	lowest, ok := a.Min.read(where+".min", p)
	highest, also := a.Max.read(where+".max", p)
	if !ok || !also {
		return geom.Box{}
	}
	box := geom.Box{Min: lowest, Max: highest}
	if geom.NewBox(lowest, highest) != box {
		p.add(where, "min is greater than max")
	} else if !bounds.Holds(box) {
		p.add(where, "is not within the world, which reaches from %s to %s", bounds.Min, bounds.Max)
	}
	return box
}

func (o *position) read(where string, p *problems) (geom.Pos, bool) {
	if o == nil || o.X == nil || o.Y == nil || o.Z == nil {
		p.add(where, "x, y and z are needed")
		return geom.Pos{}, false
	}
	return geom.Pos{X: *o.X, Y: *o.Y, Z: *o.Z}, true
}

func (l blockList) read(where string, pack *blocks.Pack, p *problems) blocks.Policy {
	policy := blocks.DefaultPolicy()
	if l.Classes != nil {
		policy.Classes = closed(where+".classes", *l.Classes, blocks.Building(), p)
	}
	policy.Allow = named(where+".allow", l.Allow, pack, p)
	policy.Deny = named(where+".deny", l.Deny, pack, p)
	return policy
}

var nameForm = regexp.MustCompile(`^(minecraft:)?[a-z0-9_]+$`)

// named reads names of blocks.
func named(where string, list []string, pack *blocks.Pack, p *problems) []string {
	if len(list) > MaxNames {
		p.add(where, "%d are more than %d", len(list), MaxNames)
		return nil
	}
	var names []string
	for i, name := range list {
		ok := len(name) <= 128 && nameForm.MatchString(name)
		if ok && pack != nil {
			_, err := pack.Parse(name)
			ok = err == nil
		}
		if !ok {
			p.add(fmt.Sprintf("%s[%d]", where, i), "%.80q is not the name of a block, such as minecraft:stone", name)
		}
		names = append(names, "minecraft:"+strings.TrimPrefix(name, "minecraft:"))
	}
	return names
}

// closed reads words of which there are only some, each once.
func closed[W ~string](where string, list []string, all []W, p *problems) []W {
	var known []W
	for i, text := range list {
		at := fmt.Sprintf("%s[%d]", where, i)
		switch word := W(text); {
		case !slices.Contains(all, word):
			p.add(at, "%.80q is not one of %s", text, strings.Join(words(all), ", "))
		case slices.Contains(known, word):
			p.add(at, "%q is there twice", text)
		default:
			known = append(known, word)
		}
	}
	return known
}

var playerForm = regexp.MustCompile(`^[A-Za-z0-9_]{1,16}$`)

func (v visitor) read(where string, p *problems) rule {
	id, err := uuid.Parse(v.Player)
	switch {
	case v.Player == everybody, err == nil && id.String() == v.Player, playerForm.MatchString(v.Player):
	default:
		p.add(where+".player", `%.80q is not a UUID in small letters, a player's name or "*"`, v.Player)
	}
	return rule{strings.ToLower(v.Player), closed(where+".permissions", v.Permissions, actions, p)}
}
