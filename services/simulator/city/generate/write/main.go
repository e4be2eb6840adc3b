// Command write writes the maps of the game and their digests into a folder.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/city/generate"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: write FOLDER")
	}
	var sums []byte
	ids := generate.IDs()
	slices.Sort(ids)
	for _, id := range ids {
		m, _ := generate.Make(id)
		data := m.Encode()
		name := id + ".json"
		if err := os.WriteFile(filepath.Join(args[0], name), data, 0o644); err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(args[0], "SHA256SUMS"), sums, 0o644)
}
