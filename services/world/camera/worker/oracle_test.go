package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"net"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/java"
)

var long = flag.Bool("long", false, "compare with mineflayer, which .ci/world has installed")

// sight is how far both look; the client has the chunks that far.
const sight = 96

// ray is a pixel of a pose.
type ray struct {
	From      render.Vector `json:"from"`
	Direction render.Vector `json:"direction"`
}

// views are what the client is asked, and what it answers: the blocks that are
// met, nil for the sky.
type (
	views struct {
		Rays  []ray         `json:"rays"`
		Heads []render.Pose `json:"heads"` // their middles
	}
	sights struct{ Rays, Heads []*geom.Pos }
)

// ask makes 2,000 pixels of eight poses, and turns 400 heads at their places.
func ask() (q views) {
	r := rand.New(rand.NewPCG(50, 51))
	for _, pose := range []render.Pose{
		pictures["house"].pose, pictures["stair"].pose, pictures["forest"].pose,
		{X: 0.5, Y: 65, Z: 0.5, Yaw: 20, Pitch: 5, FOV: 90}, // in the house
		{X: 3.2, Y: 65, Z: 19.1, Yaw: 190, Pitch: 6},        // at the fence
		{X: 18.3, Y: 67.5, Z: 0.4, Yaw: 265, Pitch: 20},     // on the stairs
		{X: -30.4, Y: 65, Z: 30.7, Yaw: 300, Pitch: -10},    // among the trees
		{X: 0.1, Y: 100, Z: 0.2, Yaw: 45, Pitch: 80, FOV: 110},
	} {
		pose = pose.Defaults()
		through := pose.Rays()
		for range 250 {
			q.Rays = append(q.Rays, ray{pose.EyeAt(), through(r.IntN(pose.Width), r.IntN(pose.Height))})
		}
		pose.Width, pose.Height = 855, 481 // which have a middle
		for range 50 {
			pose.Yaw, pose.Pitch = 720*r.Float64()-360, 120*r.Float64()-40
			q.Heads = append(q.Heads, pose)
		}
	}
	return q
}

// TestOracle: what a pixel shows is what a client that we did not write, in the
// same world, says is to be seen that way, and the middle of a picture what one
// sees who stands there and turns their head so. The client looks at what bumps
// into things: all blocks here do, and fences do above their position too, where
// nothing is drawn.
//
// clause: W-50, W-51
func TestOracle(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("needs -long")
	}
	v, q := settle(t), ask()
	scene := v.shot(geom.Pos{Y: 68}, 128).Scene(v.pack)
	seen := bot(t, v, q)
	rays, client := q.Rays, seen.Rays
	for i, head := range q.Heads {
		rays, client = append(rays, ray{head.EyeAt(), head.Rays()(427, 240)}), append(client, seen.Heads[i])
	}
	agree, sky, fences := [2]int{}, 0, 0
	for i, way := range rays {
		part := i / len(q.Rays)
		h, ok := scene.Cast(way.From, way.Direction, sight)
		switch met := client[i]; {
		case ok && met != nil && h.Pos == *met:
			agree[part]++
		case !ok && met == nil:
			agree[part]++
			sky++
		case met != nil && v.tall(*met):
			fences++
		default:
			t.Errorf("ray %d: %t at %v, the client sees %v", i, ok, h.Pos, met)
		}
	}
	share := 100 * float64(agree[0]) / float64(len(q.Rays))
	t.Logf("%d of %d pixels agree (%.2f %%), and %d of %d heads; %d see the sky, %d others a fence above its position",
		agree[0], len(q.Rays), share, agree[1], len(q.Heads), sky, fences)
	if share < 99.5 || sky > len(rays)/2 {
		t.Errorf("%.2f %% agree, of which %d are sky", share, sky)
	}
}

// tall reports whether what stands at a position reaches above it.
func (v *village) tall(p geom.Pos) bool {
	s := v.shot(p, 0)
	at := p.Sub(s.Box.Min)
	boxes := v.pack.Shape(s.Palette[s.Cells[at.Y]])
	return slices.ContainsFunc(boxes, func(b blocks.AABB) bool { return b.Max[1] > blocks.Whole })
}

// bot has mineflayer join the village and look.
func bot(t *testing.T, v *village, q views) (seen sights) {
	t.Helper()
	players, err := java.New(java.Config{}, v, java.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- players.Serve(ctx, l) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	found, err := exec.CommandContext(t.Context(), "../../../../.ci/e2e/install", "-node").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	asked, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), strings.TrimSpace(string(found)), "rays.mjs", port)
	node.Dir = "../../../../.ci/world"
	var stderr bytes.Buffer
	node.Stdin, node.Stderr = bytes.NewReader(asked), &stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("rays.mjs: %v\n%s", err, stderr.String())
	}
	if err := json.Unmarshal(out, &seen); err != nil || len(seen.Rays) != len(q.Rays) || len(seen.Heads) != len(q.Heads) {
		t.Fatalf("%d and %d answers: %v", len(seen.Rays), len(seen.Heads), err)
	}
	return seen
}
