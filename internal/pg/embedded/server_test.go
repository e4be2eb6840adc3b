//go:build unix

package embedded

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience bounds every wait of a test.
const patience = 3 * time.Minute

var quiet = slog.New(slog.DiscardHandler)

// folder gives a folder for data that is removed in the end. Unlike
// t.TempDir's it may be entered by the accounts that root runs servers as.
func folder(t *testing.T) string {
	t.Helper()
	name, err := os.MkdirTemp("", "embedded")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(name); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(name, 0o711); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(name, "database")
}

// opened gives the server of a folder, closed in the end.
func opened(t *testing.T, folder string) *Server {
	t.Helper()
	s, err := Open(within(t), folder, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	t.Cleanup(cancel)
	return ctx
}

// ask runs one statement on a connection of its own. It waits for a server
// that is being started.
func ask(t *testing.T, url, sql string) string {
	t.Helper()
	ctx := within(t)
	for {
		answer, err := tryAsk(ctx, url, sql)
		if err == nil {
			return answer
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			t.Fatal(err)
		}
	}
}

func tryAsk(ctx context.Context, url, sql string) (string, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return "", err
	}
	answers, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(answers, "\n"), err
}

func TestServer(t *testing.T) {
	t.Parallel()
	t.Run("keeps its data when it is started again", func(t *testing.T) {
		t.Parallel()
		data := folder(t)
		s := opened(t, data)
		ask(t, s.URL(), "CREATE TABLE kept AS SELECT 1 AS n")
		s.Close()
		if _, err := tryAsk(within(t), s.URL(), "SELECT 'x'"); err == nil {
			t.Error("a closed server answers")
		}
		if _, err := os.Stat(s.cluster.Socket); !os.IsNotExist(err) {
			t.Errorf("the folder of the socket is still there: %v", err)
		}
		if got := ask(t, opened(t, data).URL(), "SELECT n::text FROM kept"); got != "1" {
			t.Errorf("got %q, want the row of the first server", got)
		}
	})
	t.Run("listens on a socket of its user alone", func(t *testing.T) {
		t.Parallel()
		s := opened(t, folder(t))
		if got := ask(t, s.URL(), "SHOW listen_addresses"); got != "" {
			t.Errorf("listen_addresses is %q, want none", got)
		}
		content, err := os.ReadFile(s.cluster.pidFile())
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(string(content), "\n"); lines[4] != s.cluster.Socket || lines[5] != "" {
			t.Errorf("it listens on %q and %q, want %q and nothing", lines[4], lines[5], s.cluster.Socket)
		}
		for _, name := range []string{s.cluster.Socket, s.cluster.data()} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != 0o700 {
				t.Errorf("%s has mode %o, want 700", name, got)
			}
		}
	})
	t.Run("is started again when it is killed", func(t *testing.T) {
		t.Parallel()
		s := opened(t, folder(t))
		ask(t, s.URL(), "CREATE TABLE kept AS SELECT 1 AS n")
		for range 3 {
			s.process.Load().Kill()
			if got := ask(t, s.URL(), "SELECT n::text FROM kept"); got != "1" {
				t.Errorf("got %q, want the row of before", got)
			}
		}
	})
	t.Run("is one for all that open its folder", func(t *testing.T) {
		t.Parallel()
		data := folder(t)
		var all sync.WaitGroup
		servers := make([]*Server, 4)
		for i := range servers {
			all.Go(func() { servers[i] = opened(t, data) })
		}
		all.Wait()
		started := "SELECT pg_postmaster_start_time()::text"
		want := ask(t, servers[0].URL(), started)
		for _, s := range servers {
			if got := ask(t, s.URL(), started); got != want {
				t.Errorf("a server of %s, want that of %s", got, want)
			}
		}
		// Whoever runs it, its end leaves the others one.
		for i, s := range servers[:3] {
			s.Close()
			if got := ask(t, servers[i+1].URL(), "SELECT 'here'"); got != "here" {
				t.Errorf("got %q", got)
			}
		}
	})
	t.Run("is waited for no longer than asked", func(t *testing.T) {
		t.Parallel()
		// Somebody has the lock and runs no server.
		other := folder(t)
		if err := os.MkdirAll(other, 0o700); err != nil {
			t.Fatal(err)
		}
		lock, err := os.Create(filepath.Join(other, "lock"))
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Close()
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err = Open(ctx, other, quiet)
		if err == nil || !strings.Contains(err.Error(), "which another process runs, was not ready in time") {
			t.Errorf("error %v, want one that says who did not run it", err)
		}
	})
	t.Run("is below a path that is too long for a socket", func(t *testing.T) {
		t.Parallel()
		s := opened(t, filepath.Join(folder(t), strings.Repeat("deep/", 40)))
		if got := ask(t, s.URL(), "SELECT 'here'"); got != "here" {
			t.Errorf("got %q", got)
		}
	})
}

// TestStart is about what an earlier server left.
func TestStart(t *testing.T) {
	t.Parallel()
	t.Run("with the process id of somebody else", func(t *testing.T) {
		t.Parallel()
		data := folder(t)
		s := opened(t, data)
		s.process.Load().Kill() // the file stays
		s.Close()
		content, err := os.ReadFile(s.cluster.pidFile())
		if os.IsNotExist(err) { // it was started again in between, and stopped
			content = []byte("\n" + s.cluster.data() + "\n0\n5432\n\n\n\nready   \n")
		}
		_, rest, _ := strings.Cut(string(content), "\n")
		// Of all processes the own parent's is the one that lives on.
		left := strings.Join([]string{strconv.Itoa(os.Getppid()), rest}, "\n")
		if err := os.Mkdir(s.cluster.Socket, 0o700); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
		for _, file := range []string{s.cluster.pidFile(), s.cluster.socket() + ".lock"} {
			if err := os.WriteFile(file, []byte(left), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := ask(t, opened(t, data).URL(), "SELECT 'here'"); got != "here" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("with data that were not finished", func(t *testing.T) {
		t.Parallel()
		data := folder(t)
		if err := os.MkdirAll(filepath.Join(data, "data.new", "base"), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := ask(t, opened(t, data).URL(), "SELECT 'here'"); got != "here" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("with data of another version", func(t *testing.T) {
		t.Parallel()
		data := folder(t)
		if err := os.MkdirAll(filepath.Join(data, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(data, "data", "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(within(t), data, quiet)
		if err == nil || !strings.Contains(err.Error(), "PostgreSQL 9, which made the data, is not on this machine") {
			t.Errorf("error %v, want one that names the version", err)
		}
	})
	t.Run("with data that no server reads", func(t *testing.T) {
		t.Parallel()
		data := folder(t)
		s := opened(t, data)
		s.Close()
		if err := os.Remove(filepath.Join(s.cluster.data(), "global", "pg_control")); err != nil {
			t.Fatal(err)
		}
		_, err := Open(within(t), data, quiet)
		if err == nil || !strings.Contains(err.Error(), "PostgreSQL did not start") || !strings.Contains(err.Error(), "pg_control") {
			t.Errorf("error %v, want one that shows the log", err)
		}
	})
	t.Run("with a folder of the socket that others may enter", func(t *testing.T) {
		t.Parallel()
		data := folder(t)
		socket, err := socketFolder(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(socket, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(socket) })
		if _, err := Open(within(t), data, quiet); err == nil || !strings.Contains(err.Error(), socket) {
			t.Errorf("error %v, want one that names %s", err, socket)
		}
	})
}
