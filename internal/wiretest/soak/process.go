package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is the program under load.
type process struct {
	command *exec.Cmd
	folder  string
	address string
	path    string
	log     *logReader
	ended   chan error
}

// start runs the program's edge in front of an API, and waits until it serves.
func start(program, api string) (*process, error) {
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	p := &process{folder: folder, log: &logReader{lost: map[string]int{}}, ended: make(chan error, 1)}
	config, err := json.Marshal(map[string]any{"edge": map[string]any{
		"listen":         "127.0.0.1:0",
		"authentication": map[string]any{"mode": "anonymous"},
		"upstreams":      map[string]any{"platform": map[string]any{"url": api, "timeout": patience.String()}},
		"admission":      map[string]any{"caller_concurrency": 1000, "concurrency": 1000, "calls_per_minute": -1},
	}})
	file := filepath.Join(folder, "pharos.json")
	if err = errors.Join(err, os.WriteFile(file, config, 0o600)); err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	p.command = exec.Command(program, "serve", "-config", file, "edge")
	p.command.Stderr = p.log
	stdout, err := p.command.StdoutPipe()
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	if err == nil {
		var u *url.URL
		if u, err = url.Parse(strings.Fields(strings.TrimPrefix(line, "MCP: "))[0]); err == nil {
			p.address, p.path = u.Host, u.Path
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		p.ended <- p.command.Wait()
	}()
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("%s does not say where it serves: %w", program, err)
	}
	return p, nil
}

// resident is the resident size in bytes (proc(5), statm).
func (p *process) resident() (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, fmt.Errorf("statm is %q", data)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// watch notes the resident size again and again until ctx ends.
func (p *process) watch(ctx context.Context, every time.Duration) (sizes []int64, err error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return sizes, nil
		case err := <-p.ended:
			p.ended <- err
			return sizes, fmt.Errorf("the program ended: %w", err)
		case <-tick.C:
			size, err := p.resident()
			if err != nil {
				return sizes, err
			}
			sizes = append(sizes, size)
		}
	}
}

// halves are the sizes at the beginning and at the end of the second half: the
// medians of a fifth of it each, since a collector's heap goes up and down.
func halves(sizes []int64) (middle, end int64) {
	if len(sizes) == 0 {
		return 1, 1
	}
	second := sizes[len(sizes)/2:]
	fifth := max(1, len(second)/5)
	return median(second[:fifth]), median(second[len(second)-fifth:])
}

func median(sizes []int64) int64 {
	sorted := slices.Sorted(slices.Values(sizes))
	return sorted[len(sorted)/2]
}

// sockets counts the open sockets.
func (p *process) sockets() (n int, err error) {
	folder := fmt.Sprintf("/proc/%d/fd", p.command.Process.Pid)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join(folder, e.Name()))
		if err == nil && strings.HasPrefix(target, "socket:") {
			n++
		}
	}
	return n, nil
}

// settle waits until no more sockets are open than before, and returns how
// many there still are.
func (p *process) settle(before int, limit time.Duration) (left int, err error) {
	for deadline := time.Now().Add(limit); ; time.Sleep(100 * time.Millisecond) {
		n, err := p.sockets()
		if err != nil || n <= before || time.Now().After(deadline) {
			return max(0, n-before), err
		}
	}
}

// stop ends the program as an operator would, and reports what was wrong with
// it.
func (p *process) stop() (faults []error) {
	if n := p.log.panics.Load(); n > 0 {
		faults = append(faults, fmt.Errorf("the log has %d panics", n))
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return append(faults, err)
	}
	select {
	case err := <-p.ended:
		p.ended <- err
		if err != nil {
			faults = append(faults, fmt.Errorf("the program ended with %w", err))
		}
	case <-time.After(rest):
		faults = append(faults, errors.New("the program does not end"))
	}
	return faults
}

// kill ends the program in any case.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
	_ = os.RemoveAll(p.folder)
}
