package generators

import (
	"flag"
	"fmt"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/manifest"
)

// accept takes proposals: it removes "undecided" from the decisions that the
// arguments name, by operation or by tool, or from all.
func (c *command) accept(args []string) error {
	var all bool
	keys, err := c.parse("accept", args, func(f *flag.FlagSet) { f.BoolVar(&all, "all", false, "every proposal") })
	if err != nil {
		return err
	}
	if all == (len(keys) > 0) {
		return errUsage("accept takes --all or operations")
	}
	unlock, err := lock(c.dir)
	if err != nil {
		return err
	}
	defer unlock()
	m, err := readManifest(c.root())
	if err != nil {
		return err
	}
	accepted := 0
	known := map[string]bool{}
	eachDecision(m, func(e *manifest.Decision) {
		wanted := all
		for _, key := range keys {
			if key == e.Key || key == e.Tool && key != "" { // an exclusion has no tool
				wanted, known[key] = true, true
			}
		}
		if wanted && e.Undecided {
			e.Undecided = false
			e.Changed()
			accepted++
		}
	})
	var unknown []string
	for _, key := range keys {
		if !known[key] {
			unknown = append(unknown, fmt.Sprintf("%q", key))
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("no decision on %s in %s; nothing was accepted", strings.Join(unknown, ", "), manifestFile)
	}
	if err := writeFile(c.dir, manifestFile, m.Format()); err != nil {
		return err
	}
	c.say("accept: %s accepted", plural(accepted, "proposal"))
	return nil
}

func eachDecision(m *manifest.Manifest, f func(*manifest.Decision)) {
	for _, c := range m.Catalogs {
		for _, d := range c.Documents {
			for _, e := range d.Decisions {
				f(e)
			}
		}
	}
}
