package embedded

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
)

// inNamespace makes this process's user, whoever it is, look like user 1000.
func inNamespace() *syscall.SysProcAttr {
	one := func(host int) []syscall.SysProcIDMap {
		return []syscall.SysProcIDMap{{ContainerID: 1000, HostID: host, Size: 1}}
	}
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: one(syscall.Geteuid()),
		GidMappings: one(syscall.Getegid()),
	}
}

// namespaces tells whether user namespaces are allowed here, which only trying
// shows.
var namespaces = sync.OnceValue(func() bool {
	command := exec.Command("/bin/sh", "-c", "exit 0")
	command.SysProcAttr = inNamespace()
	return command.Run() == nil
})

// isServer tells whether a process is a PostgreSQL server and alive.
func isServer(pid int) bool {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// "17 (postgres) S 1 …"; a name may hold anything.
	name, rest, _ := strings.Cut(string(content), "(")
	end := strings.LastIndex(rest, ")")
	return name != "" && end >= 0 && rest[:end] == "postgres" && !strings.HasPrefix(rest[end:], ") Z")
}
