package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/pharos-mcp/pharos/internal/measure"
)

// install puts the packages of a lock file into a folder and returns the
// folder's node_modules. What is there already for the same lock stays.
func install(ctx context.Context, from, into string) (string, error) {
	modules := filepath.Join(into, "node_modules")
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		return "", err
	}
	stamp := filepath.Join(modules, ".pharos-lock.json")
	if have, err := os.ReadFile(stamp); err == nil && bytes.Equal(have, lock) {
		return modules, nil
	}
	manifest, err := os.ReadFile(filepath.Join(from, "package.json"))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(into, 0o755); err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{"package.json": manifest, "package-lock.json": lock} {
		if err := os.WriteFile(filepath.Join(into, name), data, 0o644); err != nil {
			return "", err
		}
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = into
	if err := measure.Command(npm).Fault(); err != nil {
		return "", fmt.Errorf("npm ci: %w", err)
	}
	return modules, os.WriteFile(stamp, lock, 0o644)
}
