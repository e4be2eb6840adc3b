package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Where the program listens for players is this and what it prints of it.
const (
	playPath   = "/play/mcp"
	playPrefix = "play: http://"
)

// raised are the bounds of what play admits, so high that none of them is reached.
var raised = map[string]int{
	"token_per_minute": 1_000_000, "token_concurrency": 64, "concurrency": 64, "address_per_minute": 1_000_000,
}

// servePlay starts the program with play over a database, and waits until it
// serves. It logs to a file in a folder, where its configuration is too.
func servePlay(ctx context.Context, program, folder, database string) (address string, end func(), err error) {
	config, err := json.Marshal(map[string]any{
		"play": map[string]any{"listen": "127.0.0.1:0", "admission": raised}, "database": map[string]string{"url": database},
	})
	if err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", nil, err
	}
	file := filepath.Join(folder, "pharos.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return "", nil, err
	}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return "", nil, err
	}
	c := exec.CommandContext(ctx, program, "serve", "-config", file, "play")
	c.Stderr = log
	c.Env = append(os.Environ(), "REDIS_URL=", "DATABASE_URL=")
	stdout, err := c.StdoutPipe()
	if err != nil {
		return "", nil, errors.Join(err, log.Close())
	}
	if err := c.Start(); err != nil {
		return "", nil, errors.Join(err, log.Close())
	}
	lines := bufio.NewScanner(stdout)
	end = func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, stdout)
		_ = c.Wait() // how it ends is of no interest any more
		_ = log.Close()
	}
	for lines.Scan() {
		if rest, found := strings.CutPrefix(lines.Text(), playPrefix); found {
			return rest, end, nil
		}
	}
	end()
	said, _ := os.ReadFile(log.Name())
	return "", nil, fmt.Errorf("%s did not serve play:\n%s", program, said)
}
