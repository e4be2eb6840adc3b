//go:build unix

package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Server is the private server of a folder, run by this process or by another
// that opened the same folder.
type Server struct {
	cluster Cluster
	log     *slog.Logger

	opened  atomic.Bool // Open has returned it
	ours    atomic.Bool // it is this process's turn to run it
	closing context.Context
	close   context.CancelFunc
	closed  chan struct{} // closed once nothing of it is left
	failure error         // why this process could not run it at first; read after closed

	started chan struct{} // closed once this process runs it
	once    sync.Once     // closes started
	process atomic.Pointer[Process]
}

// poll is how often a process looks whether the one that runs the server has
// ended. Locks of files wake nobody whose waiting can be given up.
const poll = 50 * time.Millisecond

// Open gives the server of a folder, which is made where it does not exist,
// once it takes connections. What the server does later without being asked is
// logged.
func Open(ctx context.Context, folder string, log *slog.Logger) (*Server, error) {
	c, err := clusterIn(folder)
	if err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(c.Folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	s := &Server{cluster: c, log: log, closed: make(chan struct{}), started: make(chan struct{})}
	s.closing, s.close = context.WithCancel(context.Background())
	go s.keep(lock)
	if err := s.await(ctx); err != nil {
		s.Close()
		return nil, err
	}
	s.opened.Store(true)
	return s, nil
}

// clusterIn prepares the folder of a server.
func clusterIn(folder string) (Cluster, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Cluster{}, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return Cluster{}, err
	}
	c := Cluster{Folder: folder, Settings: []string{"log_checkpoints=off", "max_connections=200"}}
	major, err := c.major()
	if err != nil {
		return Cluster{}, err
	}
	if c.Binaries, err = Find(major); err != nil {
		return Cluster{}, err
	}
	c.Socket, err = socketFolder(folder)
	return c, err
}

// await waits for the first server that takes connections, whoever runs it.
func (s *Server) await(ctx context.Context) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-s.started:
			return nil
		case <-s.closed:
			return s.failure
		case <-tick.C:
			if !s.ours.Load() && s.cluster.ready() && s.cluster.answers() {
				return nil
			}
		case <-ctx.Done():
			who := "another process"
			if s.ours.Load() {
				who = "this process"
			}
			return fmt.Errorf("the server of %s, which %s runs, was not ready in time: %w; its log is %s",
				s.cluster.Folder, who, context.Cause(ctx), s.cluster.log())
		}
	}
}

// URL is where clients connect, as long as the server is open, whoever runs it.
func (s *Server) URL() string { return s.cluster.URL() }

// Folder is that of the data.
func (s *Server) Folder() string { return s.cluster.Folder }

// Close gives the server up, and stops it where this process runs it.
func (s *Server) Close() {
	s.close()
	<-s.closed
}
