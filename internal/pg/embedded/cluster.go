//go:build unix

package embedded

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// role is the only role of a server; whoever can reach its socket is let in
// as it.
const role = "pharos"

// port is part of a socket's name; no port is opened.
const port = "5432"

// Cluster is one data folder and how to run a server over it.
type Cluster struct {
	Binaries Binaries
	Folder   string   // holds data/, the log and the lock
	Socket   string   // the folder of the socket: short, and only its owner's
	Settings []string // "name=value", beside those of every cluster
	Scratch  bool     // the folder goes when the server ends, in whatever way

	as *account // whom it runs as; nil to find out
}

func (c Cluster) data() string    { return filepath.Join(c.Folder, "data") }
func (c Cluster) log() string     { return filepath.Join(c.Folder, "log") }
func (c Cluster) pidFile() string { return filepath.Join(c.data(), "postmaster.pid") }
func (c Cluster) socket() string  { return filepath.Join(c.Socket, ".s.PGSQL."+port) }

// URL is where clients connect.
func (c Cluster) URL() string {
	return "postgres:///postgres?" + url.Values{"host": {c.Socket}, "port": {port}, "user": {role}}.Encode()
}

// Init makes the data folder where there is none. What it makes is there
// wholly or not at all.
func (c Cluster) Init(ctx context.Context) error {
	if major, err := c.major(); err != nil || major != 0 {
		return err
	}
	account, err := c.account()
	if err != nil {
		return err
	}
	unfinished := c.data() + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.MkdirAll(unfinished, 0o700); err != nil {
		return err
	}
	if err := account.own(c.Folder, unfinished); err != nil {
		return err
	}
	// The socket lets only its owner in, so nobody is asked for a password.
	arguments := []string{"-D", unfinished, "-U", role, "-A", "trust", "--locale=C", "--encoding=UTF8", "--no-instructions"}
	if c.Scratch {
		arguments = append(arguments, "--no-sync", "--wal-segsize=1")
	}
	command := exec.CommandContext(ctx, filepath.Join(c.Binaries.Folder, "initdb"), arguments...)
	command.Env, command.Dir = environment(), "/"
	command.SysProcAttr = account.attributes()
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, bytes.TrimSpace(output))
	}
	return os.Rename(unfinished, c.data())
}

// account is whom the programs run as.
func (c Cluster) account() (account, error) {
	if c.as != nil {
		return *c.as, nil
	}
	return accountFor(c.Folder)
}

// major is the version that made the data, 0 where there is none.
func (c Cluster) major() (int, error) {
	content, err := os.ReadFile(filepath.Join(c.data(), "PG_VERSION"))
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		return 0, fmt.Errorf("%s/PG_VERSION: %w", c.data(), err)
	}
	return major, nil
}

// pid is the process id of the running server or of one that was killed, 0
// where neither is known.
func (c Cluster) pid() int { return pidIn(c.pidFile()) }

// pidIn reads the first line of a file.
func pidIn(file string) int {
	content, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}

// ready tells whether a server says that it takes connections; one that was
// killed still does.
func (c Cluster) ready() bool {
	content, err := os.ReadFile(c.pidFile())
	return err == nil && ready(content)
}

// ready reads the state of a server from the file of its process id.
func ready(content []byte) bool {
	lines := strings.Split(string(content), "\n")
	return len(lines) > 7 && strings.TrimSpace(lines[7]) == "ready"
}

// answers tells whether a server listens on the socket.
func (c Cluster) answers() bool {
	conn, err := net.Dial("unix", c.socket())
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent
	return true
}

// options are the server's arguments.
func (c Cluster) options() []string {
	var out []string
	for _, setting := range slices.Concat([]string{
		"listen_addresses=",
		"unix_socket_directories=" + c.Socket,
		"unix_socket_permissions=0700",
		"port=" + port,
		"timezone=UTC",
		"log_timezone=UTC",
		"jit=off", // its compiling costs more than short statements
	}, c.Settings) {
		out = append(out, "-c", setting)
	}
	return out
}
