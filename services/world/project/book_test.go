package project_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/project"
)

var (
	owner    = uuid.MustParse("11111111-1111-4111-8111-111111111111")
	stranger = uuid.MustParse("22222222-2222-4222-8222-222222222222")
	world    = geom.NewBox(geom.Pos{X: -1000, Y: -64, Z: -1000}, geom.Pos{X: 1000, Y: 319, Z: 1000})
)

func config(t *testing.T) project.Config {
	t.Helper()
	return project.Config{
		Path: filepath.Join(t.TempDir(), "own", "projects.json"), Bounds: world, Owner: owner,
		Area: geom.NewBox(geom.Pos{X: -64, Y: -100, Z: -64}, geom.Pos{X: 64, Y: 400, Z: 64}),
	}
}

// written opens a book over a file with one project, all of whose members but
// some are as usual, and so are the players.
func written(t *testing.T, c project.Config, text string) (*project.Book, error) {
	t.Helper()
	put(t, c.Path, text)
	return project.Open(c)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const usual = `"owner":"11111111-1111-4111-8111-111111111111","permissions":["inspect","build"],` +
	`"area":{"min":{"x":0,"y":0,"z":0},"max":{"x":9,"y":9,"z":9}}`

func of(members string) string {
	return `{"version":1,"projects":[{"id":"default",` + members + `}]}`
}

// A new file has one project with the usual building blocks, and nobody but its
// owner may read it. An old one stays as it is.
//
// clause: W-04
func TestOpenCreates(t *testing.T) {
	t.Parallel()
	c := config(t)
	b, err := project.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Check("default", owner, project.Recovery)
	want := project.Project{
		ID: "default", Owner: owner, MaxPlanBlocks: 4096, Policy: blocks.Policy{Classes: blocks.Building()},
		Permissions: []project.Permission{"inspect", "build", "undo", "schematics", "recovery"},
		Area:        geom.NewBox(geom.Pos{X: -64, Y: -64, Z: -64}, geom.Pos{X: 64, Y: 319, Z: 64}),
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	info, err := os.Stat(c.Path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(c.Path)); err != nil || len(left) != 1 {
		t.Errorf("%v beside it, %v", left, err)
	}
	put(t, c.Path, of(usual))
	if b, err = project.Open(c); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Check("default", owner, project.Build); err != nil || got.Area.Max.X != 9 {
		t.Errorf("the old file is not read: %v, %v", got, err)
	}
}

// Who is not the owner, who lacks the permission and what is not there are told
// apart, and the console is let in only where somebody has said so.
//
// clause: W-04, W-05
func TestCheck(t *testing.T) {
	t.Parallel()
	console := strings.ReplaceAll(of(usual), owner.String(), uuid.Nil.String())
	for name, c := range map[string]struct {
		text   string
		local  bool
		id     string
		player uuid.UUID
		needs  project.Permission
		want   fault.Code
	}{
		"the owner":                         {of(usual), false, "default", owner, project.Build, ""},
		"somebody else":                     {of(usual), false, "default", stranger, project.Inspect, "permission_denied"},
		"without the permission":            {of(usual), false, "default", owner, project.Undo, "permission_denied"},
		"no such project":                   {of(usual), false, "other", owner, project.Inspect, fault.NotFound},
		"the console, not let in":           {console, false, "default", uuid.Nil, project.Inspect, "permission_denied"},
		"the console":                       {console, true, "default", uuid.Nil, project.Inspect, ""},
		"the console without permission":    {console, true, "default", uuid.Nil, project.Recovery, "permission_denied"},
		"the console, in a player's":        {of(usual), true, "default", uuid.Nil, project.Inspect, "permission_denied"},
		"a player in the console's":         {console, true, "default", owner, project.Inspect, "permission_denied"},
		"the console is not told what is":   {of(usual), false, "other", uuid.Nil, project.Inspect, "permission_denied"},
		"no permission that does not exist": {of(usual), false, "default", owner, "fly", "permission_denied"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conf := config(t)
			conf.LocalAutomation = c.local
			b, err := written(t, conf, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Check(c.id, c.player, c.needs); fault.CodeOf(err) != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// A change of the file counts at the next call, however it is made: in place,
// with another file under its name, of the same size, within the same moment.
// A file that is wrong refuses everything and says why, and so does none.
//
// clause: W-04
func TestChanged(t *testing.T) {
	t.Parallel()
	c := config(t)
	b, err := written(t, c, of(usual))
	if err != nil {
		t.Fatal(err)
	}
	may := func(needs project.Permission) error {
		t.Helper()
		_, err := b.Check("default", owner, needs)
		return err
	}
	if err := may(project.Build); err != nil {
		t.Fatal(err)
	}
	put(t, c.Path, of(strings.Replace(usual, "build", "undo ", 1)))
	if got := fault.From(may(project.Build)); got == nil || got.Code != fault.Unavailable || !strings.Contains(got.Message, "permissions[1]") ||
		!strings.Contains(got.Message, "projects.json") || strings.Contains(got.Message, filepath.Dir(c.Path)) {
		t.Errorf("a wrong file: %+v", got)
	}
	if _, err := b.May(owner, "", project.Place); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a wrong file, to a player: %v", err)
	}
	put(t, c.Path, of(usual))
	if err := may(project.Build); err != nil {
		t.Errorf("mended: %v", err)
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(c.Path, long, long); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is not read
		if err := may(project.Build); err != nil {
			t.Errorf("of old: %v", err)
		}
	}
	other := c.Path + ".new"
	put(t, other, of(strings.Replace(usual, "build", "undo", 1)))
	if err := os.Chtimes(other, long, long); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, c.Path); err != nil {
		t.Fatal(err)
	}
	if err := may(project.Build); fault.CodeOf(err) != "permission_denied" {
		t.Errorf("another file of the same time: %v", err)
	}
	if err := os.Remove(c.Path); err != nil {
		t.Fatal(err)
	}
	if err := may(project.Undo); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("no file: %v", err)
	}
	put(t, c.Path, of(usual))
	if err := os.Chmod(c.Path, 0o602); err != nil {
		t.Fatal(err)
	}
	if err := may(project.Build); fault.CodeOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("anybody's file: %v", err)
	}
	if err := os.Chmod(c.Path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := may(project.Build); err != nil {
		t.Errorf("again the owner's: %v", err)
	}
}

// TestPipe: a pipe in the place of the file refuses at once and holds up nobody,
// and neither does it once the file is back.
//
// clause: W-04
func TestPipe(t *testing.T) {
	t.Parallel()
	c := config(t)
	b, err := written(t, c, of(usual))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(c.Path), syscall.Mkfifo(c.Path, 0o600)); err != nil {
		t.Fatal(err)
	}
	said := make(chan error, 1)
	go func() {
		_, err := b.Check("default", owner, project.Build)
		said <- err
	}()
	select {
	case err := <-said:
		if fault.CodeOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "no regular file") {
			t.Errorf("a pipe: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a pipe holds the call up")
	}
	if err := os.Remove(c.Path); err != nil {
		t.Fatal(err)
	}
	put(t, c.Path, of(usual))
	if _, err := b.Check("default", owner, project.Build); err != nil {
		t.Errorf("the file is back: %v", err)
	}
}

// Callers and somebody who writes the file do not disturb each other.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	c := config(t)
	b, err := written(t, c, of(usual))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				if _, err := b.Check("default", owner, project.Build); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 20 {
		next := fmt.Sprintf("%s.%d", c.Path, i)
		put(t, next, of(usual+fmt.Sprintf(`,"max_plan_blocks":%d`, i+1)))
		if err := os.Rename(next, c.Path); err != nil {
			t.Fatal(err)
		}
	}
	all.Wait()
	if p, err := b.Check("default", owner, project.Build); err != nil || p.MaxPlanBlocks != 20 {
		t.Errorf("%d, %v", p.MaxPlanBlocks, err)
	}
}

// A player has the rights of the entry that fits best.
//
// clause: W-04
func TestMay(t *testing.T) {
	t.Parallel()
	b, err := written(t, config(t), `{"version":1,"projects":[],"players":[
		{"player":"*","permissions":["break"]},{"player":"Anna","permissions":[]},
		{"player":"22222222-2222-4222-8222-222222222222","permissions":["place","break"]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		player uuid.UUID
		name   string
		what   project.Action
		want   bool
	}{
		{owner, "bert", project.Break, true}, {owner, "bert", project.Place, false}, {owner, "anna", project.Break, false},
		{stranger, "Anna", project.Place, true}, {stranger, "anna", project.Break, true},
	} {
		if got, err := b.May(c.player, c.name, c.what); err != nil || got != c.want {
			t.Errorf("%s %s: %v, %v", c.name, c.what, got, err)
		}
	}
	none, err := written(t, config(t), of(usual))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := none.May(owner, "", project.Place); got || err != nil {
		t.Errorf("without entries: %v, %v", got, err)
	}
}

// TestFor: who may ask does so about their own project, or else the first.
//
// clause: W-04, W-40
func TestFor(t *testing.T) {
	t.Parallel()
	book, err := written(t, config(t), `{"version":1,"projects":[
		{"id":"one","permissions":[],"owner":"`+owner.String()+`","area":{"min":{"x":0,"y":0,"z":0},"max":{"x":9,"y":9,"z":9}}},
		{"id":"two","permissions":[],"owner":"`+stranger.String()+`","area":{"min":{"x":0,"y":0,"z":0},"max":{"x":9,"y":9,"z":9}}}],
		"players":[{"player":"anna","permissions":["place"]},{"player":"*","permissions":["ask"]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		player uuid.UUID
		name   string
		want   string
	}{{owner, "bert", "one"}, {stranger, "cleo", "two"}, {uuid.New(), "dora", "one"}} {
		if p, err := book.For(c.player, c.name); err != nil || p.ID != c.want {
			t.Errorf("%s talks about %q (%v)", c.name, p.ID, err)
		}
	}
	if diff := cmp.Diff([]string{"one", "two"}, book.IDs()); diff != "" {
		t.Error(diff)
	}
	if _, err := book.For(uuid.New(), "Anna"); fault.CodeOf(err) != project.PermissionDenied {
		t.Errorf("anna may not ask: %v", err)
	}
}
