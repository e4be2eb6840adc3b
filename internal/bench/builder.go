package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/embedded"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/java"
	worldjournal "github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// seenGoal is how long a player may wait for the last of 4,096 blocks of a plan,
// as a multiple of the wait for the same edits.
const seenGoal = 2

const builderRounds = 9

// builderPart measures how long a player who is in the world waits for the last
// of 4,096 blocks: from the moment that a plan is applied, and from that of the
// first of the same edits in the same slices, each flushed, without plan and
// journal. Both are done at the pace of the world, a slice in a tick, which is what
// the goal is about, and as fast as they can.
func builderPart(ctx context.Context, stdout io.Writer) ([]goal, error) {
	b := &builder{}
	var measured goal // the last: at the pace of the world
	defer b.close()
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	fmt.Fprintf(stdout, "builder: %d rounds of %d blocks in slices of %d, seen by a player\n",
		builderRounds, builderBox.Volume(), operation.SliceBlocks)
	for _, unpaced := range []bool{true, false} {
		var applied, edited, ratios []float64
		if err := b.start(ctx, unpaced); err != nil {
			return nil, err
		}
		for range builderRounds {
			a, err := b.apply(ctx)
			if err != nil {
				return nil, err
			}
			e, err := b.edit(ctx, unpaced)
			if err != nil {
				return nil, err
			}
			applied, edited = append(applied, a.Seconds()), append(edited, e.Seconds())
			ratios = append(ratios, a.Seconds()/e.Seconds())
		}
		how := "a slice in a tick"
		if unpaced {
			how = "without ticks, which no server is"
		}
		measured = goal{name: "builder-seen-to-edits", measured: median(ratios), bound: seenGoal, unit: "x"}
		fmt.Fprintf(stdout, "builder: %s, the last is seen %.0f ms after apply, and %.0f ms after the first of the same edits: %.2fx\n",
			how, 1000*median(applied), 1000*median(edited), measured.measured)
	}
	return []goal{measured}, nil
}

var (
	builderBox    = geom.Box{Min: geom.Pos{Y: 65}, Max: geom.Pos{X: 15, Y: 80, Z: 15}} // in one chunk
	builderPlayer = uuid.UUID{1}
	builderStates = [2]string{"minecraft:stone", "minecraft:oak_planks"}
)

const builderProject = "default"

// builder is a world with a player in it.
type builder struct {
	ends   []func()
	host   *anvil.Host
	pool   *pgxpool.Pool
	store  *worldjournal.Store
	engine *operation.Engine
	player *onlooker
	round  int
}

func (b *builder) close() {
	if b.engine != nil {
		b.engine.Close()
	}
	for i := len(b.ends) - 1; i >= 0; i-- {
		b.ends[i]()
	}
}

func (b *builder) open(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "bench-builder-")
	if err != nil {
		return err
	}
	b.ends = append(b.ends, func() { _ = os.RemoveAll(folder) })
	if err := b.world(filepath.Join(folder, "world")); err != nil {
		return err
	}
	if err := b.journal(ctx); err != nil {
		return err
	}
	return b.enter(ctx)
}

func (b *builder) world(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	files, err := disk.In(folder)
	if err != nil {
		return err
	}
	b.ends = append(b.ends, func() { _ = files.Close() })
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		return err
	}
	b.host, err = anvil.Open(anvil.Config{Files: files, Folder: folder, Pack: pack, Create: &anvil.Flat{Chunks: 20}})
	if err != nil {
		return err
	}
	b.ends = append(b.ends, func() { _ = b.host.Close() })
	return nil
}

// journal starts a server, whose settings come after those of a server for tests,
// and makes a journal in it.
func (b *builder) journal(ctx context.Context, settings ...string) error {
	cluster, err := embedded.Scratch(ctx, settings...)
	if err != nil {
		return err
	}
	server, err := cluster.Start(ctx)
	if err != nil {
		return err
	}
	b.ends = append(b.ends, server.Stop)
	url, err := makeDatabase(ctx, cluster.URL(), "builder")
	if err != nil {
		return err
	}
	if err := pg.Migrate(ctx, url, "world"); err != nil {
		return err
	}
	pool, err := pg.Pool(url)
	if err != nil {
		return err
	}
	b.ends, b.pool = append(b.ends, pool.Close), pool
	b.store = worldjournal.New(worldjournal.Config{Pool: pool, World: b.host.Info().World})
	return nil
}

// enter has a player come in, who has the chunks before anything is measured.
func (b *builder) enter(ctx context.Context) error {
	players, err := java.New(java.Config{}, b.host, java.Options{})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- players.Serve(serving, l) }()
	b.ends = append(b.ends, func() { stop(); <-done })
	if b.player, err = look(ctx, l.Addr().String()); err != nil {
		return err
	}
	b.ends = append(b.ends, b.player.close)
	for timeout := time.After(time.Minute); ; {
		select {
		case <-b.player.chunks:
		case <-time.After(time.Second): // no more of them come
			return nil
		case <-timeout:
			return errors.New("the chunks do not end")
		}
	}
}

// start opens an engine in place of the one before.
func (b *builder) start(ctx context.Context, unpaced bool) (err error) {
	if b.engine != nil {
		b.engine.Close()
	}
	b.engine, err = operation.Open(ctx, operation.Config{
		Host: b.host, Journal: b.store, Unpaced: unpaced, May: func(context.Context, string, uuid.UUID) error { return nil },
	})
	return err
}

// states are what stands in the box and what is to stand there.
func (b *builder) states() (before, after string) {
	b.round++
	if after = builderStates[b.round%2]; b.round == 1 {
		return host.Flat(builderBox.Min.Y), after
	}
	return builderStates[(b.round+1)%2], after
}

// apply has a plan built, and returns how long the player waits for its last block.
func (b *builder) apply(ctx context.Context) (time.Duration, error) {
	before, after := b.states()
	p := worldjournal.Plan{
		ID: uuid.New(), Project: builderProject, Player: builderPlayer, Kind: worldjournal.Build, Hash: strings.Repeat("0", 64),
		Region: builderBox, Recipe: []byte("{}"),
	}
	for at := range builderBox.Positions() {
		p.Changes = append(p.Changes, worldjournal.Change{Pos: at, Before: before, After: after})
	}
	p, err := b.store.PutPlan(ctx, p)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	o, err := b.engine.Apply(ctx, worldjournal.Request{
		Project: builderProject, Player: builderPlayer, Plan: p.ID, Hash: p.Hash, Key: p.ID.String(),
	})
	if err != nil {
		return 0, err
	}
	if err := b.player.await(ctx, len(p.Changes)); err != nil {
		return 0, err
	}
	took := time.Since(begun)
	if o, err = b.engine.Wait(ctx, builderProject, o.ID); err != nil || o.Written != len(p.Changes) {
		return 0, errors.Join(err, fmt.Errorf("the operation is %s with %d blocks", o.Status, o.Written))
	}
	return took, nil
}

// edit does the same edits without a plan.
func (b *builder) edit(ctx context.Context, unpaced bool) (time.Duration, error) {
	_, after := b.states()
	begun := time.Now()
	seen := make(chan error, 1)
	var took time.Duration
	go func() {
		err := b.player.await(ctx, int(builderBox.Volume()))
		took = time.Since(begun)
		seen <- err
	}()
	err := b.editSlices(ctx, after, func(slice int) {
		if !unpaced {
			time.Sleep(time.Until(begun.Add(time.Duration(slice) * operation.Tick)))
		}
	})
	if err != nil {
		return 0, err
	}
	return took, <-seen
}

// builderSlices are the slices that an operation does, as boxes.
func builderSlices() (slices []geom.Box) {
	x, _, z := builderBox.Size()
	layers := int32(operation.SliceBlocks / (x * z))
	for y := builderBox.Min.Y; y <= builderBox.Max.Y; y += layers {
		slice := builderBox
		slice.Min.Y, slice.Max.Y = y, y+layers-1
		slices = append(slices, slice)
	}
	return slices
}
