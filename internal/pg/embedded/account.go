//go:build unix

package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is whom the programs of PostgreSQL run as. They refuse root, so root
// lends itself another name: in a user namespace of their own they are user
// 1000 and yet the owner of root's files. Where that is not allowed, they run
// as one of the system's accounts, which then owns the folder.
type account struct {
	uid, gid  int // who owns the files
	namespace bool
}

// noRoot begins what is said where root has no other name to lend itself.
const noRoot = "PostgreSQL refuses to run as root, user namespaces are not allowed here"

// accountFor tells whom to run as. An ordinary user runs them as itself.
func accountFor(folder string) (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	if namespaces() {
		return account{namespace: true}, nil
	}
	for _, name := range []string{"postgres", "_postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.Atoi(u.Uid)
		gid, errGID := strconv.Atoi(u.Gid)
		if errUID != nil || errGID != nil || uid <= 0 {
			continue
		}
		if err := reachable(folder); err != nil {
			return account{}, fmt.Errorf("%s, and the account %q cannot reach %w: "+
				"name a folder below one that it can reach, run as an ordinary user, or set DATABASE_URL", noRoot, name, err)
		}
		return account{uid: uid, gid: gid}, nil
	}
	return account{}, errors.New(noRoot + ", and there is no other account: run as an ordinary user, or set DATABASE_URL")
}

// attributes are those of a process that runs as the account.
func (a account) attributes() *syscall.SysProcAttr {
	switch {
	case a.namespace:
		return inNamespace()
	case os.Geteuid() == 0:
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}}
	}
	return &syscall.SysProcAttr{}
}

// own gives folders to the account where they are another's, which happens
// when the way to run as root has changed. Only root can give.
func (a account) own(folders ...string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, folder := range folders {
		info, err := os.Lstat(folder)
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) == a.uid {
			continue // and what it holds: a folder is given after its content
		}
		err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || path == folder {
				return err
			}
			return os.Lchown(path, a.uid, a.gid)
		})
		if err != nil {
			return err
		}
		if err := os.Lchown(folder, a.uid, a.gid); err != nil {
			return err
		}
	}
	return nil
}

// reachable refuses a folder below one that others may not enter; the error
// is that one's path.
func reachable(folder string) error {
	for dir := filepath.Dir(folder); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o001 == 0 {
			return errors.New(dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}
