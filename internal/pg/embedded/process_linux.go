package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// certain says that isServer is.
const certain = true

// isServer tells whether a process may be the server of this folder, which is
// where it works. The dead work nowhere, also while nobody reaps them.
func (c Cluster) isServer(pid int) bool {
	works, err := os.Stat(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	data, err := os.Stat(c.data())
	return err != nil || os.SameFile(works, data)
}

// workers lists the processes that work in the folder of the data: the server
// and its connections, which outlive it by a moment.
func (c Cluster) workers() []int {
	data, err := os.Stat(c.data())
	if err != nil {
		return nil
	}
	places, _ := filepath.Glob("/proc/[0-9]*/cwd") // the pattern is well-formed
	var out []int
	for _, place := range places {
		if works, err := os.Stat(place); err != nil || !os.SameFile(works, data) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(place))); err == nil {
			out = append(out, pid)
		}
	}
	return out
}
