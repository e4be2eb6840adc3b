package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Config says where a book is and what holds for all of it.
type Config struct {
	Path            string       // of the file, made where there is none
	Bounds          geom.Box     // of the world: no area is beyond
	LocalAutomation bool         // admits the console, which is the nil UUID
	Owner           uuid.UUID    // of the project of a new file
	Area            geom.Box     // of the project of a new file; what is beyond Bounds is left out
	Pack            *blocks.Pack // has all blocks that are named; nil for any
}

// Book is the projects of a world. It is safe for concurrent use.
type Book struct {
	Config

	mu   sync.Mutex
	seen fs.FileInfo // of the file that was read last; nil to read it again
	contents
	err error // why what was read cannot be used
}

// contents is what a file says.
type contents struct {
	projects map[string]Project
	listed   []Project // the same, in the order of the file
	players  []rule
}

// Open reads the file, and makes one where there is none. A file that is wrong
// is an error; one that becomes wrong later refuses every call until it is
// mended, with all that is wrong in the message.
func Open(c Config) (*Book, error) {
	if _, err := os.Lstat(c.Path); errors.Is(err, fs.ErrNotExist) {
		if err := create(c); err != nil {
			return nil, fmt.Errorf("projects file: %w", err)
		}
	}
	b := &Book{Config: c}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fresh(); err != nil {
		return nil, fmt.Errorf("projects file %s: %w", c.Path, err)
	}
	return b, nil
}

// Check returns a project where the player has the permission in it now. Its
// faults: not_found, permission_denied, and unavailable for a file that is wrong.
func (b *Book) Check(id string, player uuid.UUID, needs Permission) (Project, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fresh(); err != nil {
		return Project{}, b.wrong(err)
	}
	if player == uuid.Nil && !b.LocalAutomation {
		return Project{}, fault.New(PermissionDenied, "the console may do nothing here: allow_local_automation is off for this world")
	}
	p, known := b.projects[id]
	switch {
	case !known:
		return Project{}, fault.New(fault.NotFound, "this world has no such project")
	case p.Owner != player:
		return Project{}, fault.Newf(PermissionDenied, "project %s belongs to another player", id)
	case !slices.Contains(p.Permissions, needs):
		return Project{}, fault.Newf(PermissionDenied, "the owner of project %s does not have the permission %q; it is given in the projects file",
			id, needs)
	}
	return p, nil
}

// For returns the project that somebody in the world talks to the builder about:
// their own or, for whoever may ask, the first of the file. Its faults:
// permission_denied, and unavailable for a file that is wrong.
func (b *Book) For(player uuid.UUID, name string) (Project, error) {
	if may, err := b.May(player, name, Ask); err != nil {
		return Project{}, err
	} else if !may {
		return Project{}, fault.New(PermissionDenied, "you may not ask the builder here")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.listed {
		if p.Owner == player {
			return p, nil
		}
	}
	if len(b.listed) == 0 {
		return Project{}, fault.New(fault.NotFound, "this world has no project")
	}
	return b.listed[0], nil
}

// IDs are those of all projects, in the order of the file; none while it is wrong.
func (b *Book) IDs() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fresh() != nil {
		return nil
	}
	ids := make([]string, len(b.listed))
	for i, p := range b.listed {
		ids[i] = p.ID
	}
	return ids
}

// May tells whether somebody in the world may do something there.
// The entry of the UUID counts before one of the name, and that before the one
// of everybody; without any of them nothing is allowed.
func (b *Book) May(player uuid.UUID, name string, what Action) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fresh(); err != nil {
		return false, b.wrong(err)
	}
	for _, who := range []string{player.String(), strings.ToLower(name), everybody} {
		if i := slices.IndexFunc(b.players, func(r rule) bool { return r.player == who }); i >= 0 {
			return slices.Contains(b.players[i].actions, what), nil
		}
	}
	return false, nil
}

// wrong is what a caller is told while the file is wrong.
func (b *Book) wrong(err error) error {
	return fault.Newf(fault.Unavailable, "nothing is allowed until somebody mends %s: %v", filepath.Base(b.Path), err)
}

// settled is how long a file must have been as it is for its time to tell
// whether it was changed since: two changes soon after another may have the same.
const settled = 2 * time.Second

// fresh reads the file again where it is another or has changed.
func (b *Book) fresh() error {
	now, err := os.Stat(b.Path)
	if err != nil {
		b.seen, b.contents, b.err = nil, contents{}, bare(err)
		return b.err
	}
	if b.seen == nil || !os.SameFile(b.seen, now) || !b.seen.ModTime().Equal(now.ModTime()) || b.seen.Size() != now.Size() ||
		b.seen.Mode() != now.Mode() {
		b.contents, b.seen, b.err = b.load()
	}
	return b.err
}

// load reads the file. What it says of the file is nil where it has to be read
// again the next time.
func (b *Book) load() (contents, fs.FileInfo, error) {
	began := time.Now()
	// Opening a pipe must not wait for its other end: every call would.
	f, err := os.OpenFile(b.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return contents{}, nil, bare(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return contents{}, nil, bare(err)
	case !info.Mode().IsRegular():
		return contents{}, nil, errors.New("it is no regular file")
	case info.Mode().Perm()&0o022 != 0:
		return contents{}, nil, fmt.Errorf("others may write it (mode %04o): let its owner alone, with chmod 600", info.Mode().Perm())
	case info.Size() > MaxFile:
		return contents{}, nil, fmt.Errorf("it has more than %d bytes", MaxFile)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return contents{}, nil, bare(err)
	}
	c, err := parse(data, b.Config)
	if since := began.Sub(info.ModTime()); since < settled || int64(len(data)) != info.Size() {
		info = nil
	}
	return c, info, err
}

// bare is an error without the path, which callers are not told.
func bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.Op, p.Err)
	}
	return err
}
