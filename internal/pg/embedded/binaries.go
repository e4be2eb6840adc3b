package embedded

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// binariesVariable names the environment variable with the folder of initdb
// and postgres; where it is set, no other place is looked at.
const binariesVariable = "PHAROS_PG_BIN"

// oldest is the first major version whose SQL this module is written for.
const oldest = 15

// places are where packages of PostgreSQL put their programs: Debian and its
// kin, the RPMs of postgresql.org, Homebrew, Postgres.app.
var places = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// Binaries is a folder with initdb and postgres of one version.
type Binaries struct {
	Folder string
	Major  int
}

// fetched is where `make postgres` puts the programs on a machine that has no
// packages of them, in the folder of the module.
const fetched = ".pharos/postgres/bin"

// Find gives the programs to run a server with: those of PHAROS_PG_BIN, else
// the newest of what is on PATH, in the usual places and in .pharos of the
// current folder or one above it. A major version other than 0 is that of the
// data, and the programs are of the same.
func Find(major int) (Binaries, error) {
	if named := os.Getenv(binariesVariable); named != "" {
		b, err := inspect(named)
		if err == nil && major != 0 && b.Major != major {
			err = fmt.Errorf("it is version %d and the data of version %d", b.Major, major)
		}
		if err != nil {
			return Binaries{}, fmt.Errorf("%s=%s: %w", binariesVariable, named, err)
		}
		return b, nil
	}
	var found []Binaries
	for _, folder := range candidates() {
		b, err := inspect(folder)
		if err == nil && b.Major >= oldest && (major == 0 || b.Major == major) {
			found = append(found, b)
		}
	}
	if len(found) == 0 {
		return Binaries{}, missing(major)
	}
	// Of equals the first place wins.
	return slices.MaxFunc(found, func(a, b Binaries) int { return a.Major - b.Major }), nil
}

// missing says what to do on a machine without PostgreSQL.
func missing(major int) error {
	version := fmt.Sprintf("PostgreSQL %d or newer", oldest)
	if major != 0 {
		version = fmt.Sprintf("PostgreSQL %d, which made the data,", major)
	}
	return errors.New(version + " is not on this machine: install it (apt-get install postgresql, or `make postgres`), " +
		"set " + binariesVariable + " to the folder of its initdb and postgres, " +
		"or set DATABASE_URL to a server that runs elsewhere")
}

// candidates lists the folders to look at.
func candidates() []string {
	var folders []string
	if initdb, err := exec.LookPath("initdb"); err == nil {
		// postgres lies beside initdb itself, not beside a link to it.
		if real, err := filepath.EvalSymlinks(initdb); err == nil {
			folders = append(folders, filepath.Dir(real))
		}
	}
	for _, pattern := range places {
		matches, _ := filepath.Glob(pattern) // the patterns are well-formed
		folders = append(folders, matches...)
	}
	here, err := os.Getwd()
	for err == nil {
		folders = append(folders, filepath.Join(here, filepath.FromSlash(fetched)))
		if here == filepath.Dir(here) {
			break
		}
		here = filepath.Dir(here)
	}
	return folders
}

// inspect tells which version a folder holds.
func inspect(folder string) (Binaries, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Binaries{}, err
	}
	if _, err := os.Stat(filepath.Join(folder, "initdb")); err != nil {
		return Binaries{}, err
	}
	output, err := exec.Command(filepath.Join(folder, "postgres"), "--version").Output()
	if err != nil {
		return Binaries{}, fmt.Errorf("postgres --version: %w", err)
	}
	// "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
	_, version, _ := strings.Cut(string(output), ") ")
	major := 0
	if _, err := fmt.Sscanf(version, "%d", &major); err != nil {
		return Binaries{}, fmt.Errorf("postgres --version: %q is no version", strings.TrimSpace(string(output)))
	}
	return Binaries{Folder: folder, Major: major}, nil
}
