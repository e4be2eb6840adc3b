package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"net"
	"os/exec"
	"strings"
	"testing"

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

// TestOracle: what a pixel shows is what a client that we did not write, in the
// same world, says is to be seen that way. It looks at the shapes that bump into
// things; all blocks here have one.
//
// clause: W-50, W-51
func TestOracle(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("needs -long")
	}
	v := settle(t)
	scene := v.shot(geom.Pos{Y: 68}, 128).Scene(v.pack)
	r := rand.New(rand.NewPCG(50, 51))
	var rays []ray
	for _, pose := range []render.Pose{
		pictures["house"].pose, pictures["stair"].pose, pictures["forest"].pose,
		{X: 0.5, Y: 65, Z: 0.5, Yaw: 20, Pitch: 5, FOV: 90}, // in the house
		{X: 3.2, Y: 65, Z: 14.1, Yaw: 190, Pitch: 12},       // over the fence
		{X: 18.3, Y: 67.5, Z: 0.4, Yaw: 265, Pitch: 20},     // on the stairs
		{X: -30.4, Y: 65, Z: 30.7, Yaw: 300, Pitch: -10},    // among the trees
		{X: 0.1, Y: 100, Z: 0.2, Yaw: 45, Pitch: 80, FOV: 110},
	} {
		pose = pose.Defaults()
		through := pose.Rays()
		for range 250 {
			rays = append(rays, ray{pose.EyeAt(), through(r.IntN(pose.Width), r.IntN(pose.Height))})
		}
	}
	seen := bot(t, v, rays)
	agree, sky := 0, 0
	for i, way := range rays {
		h, ok := scene.Cast(way.From, way.Direction, sight)
		switch {
		case ok && seen[i] != nil && h.Pos == *seen[i]:
			agree++
		case !ok && seen[i] == nil:
			agree++
			sky++
		default:
			t.Logf("pixel %d: %v at %v, the client sees %v", i, ok, h.Pos, seen[i])
		}
	}
	share := 100 * float64(agree) / float64(len(rays))
	t.Logf("%d of %d pixels agree (%.2f %%), %d of them sky", agree, len(rays), share, sky)
	if share < 99.5 || sky > len(rays)/2 {
		t.Errorf("%.2f %% agree, of which %d are sky", share, sky)
	}
}

// bot has mineflayer join the village and cast the rays: the blocks that are
// met, nil for the sky.
func bot(t *testing.T, v *village, rays []ray) (seen []*geom.Pos) {
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
	asked, err := json.Marshal(rays)
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
	if err := json.Unmarshal(out, &seen); err != nil || len(seen) != len(rays) {
		t.Fatalf("%d answers of %d: %v", len(seen), len(rays), err)
	}
	return seen
}
