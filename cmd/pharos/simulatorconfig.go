package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pharos-mcp/pharos/edge"
)

// simulatorConfig is the configuration of the simulator. Nothing leads off this
// machine: whoever reaches it plays.
type simulatorConfig struct {
	// Listen is the address of MCP and of the display: host and port, on loopback
	// always.
	Listen string `json:"listen"`
	// Runs is the folder of the run logs. Empty stands for simulator/runs beside
	// the folder of the private database.
	Runs string `json:"runs,omitempty"`
	// Idle ends the session of a controller without a request. Zero stands for
	// 60m.
	Idle edge.Duration `json:"idle,omitzero"`
	// Grace is how long a controller may be gone whose stream broke. Zero stands
	// for 30s.
	Grace edge.Duration `json:"grace,omitzero"`
}

// The values that stand for a zero one.
const (
	simulatorIdle  = 60 * time.Minute
	simulatorGrace = 30 * time.Second
)

// withDefaults puts the defaults where the configuration says nothing.
func (c simulatorConfig) withDefaults() simulatorConfig {
	c.Idle = cmp.Or(c.Idle, edge.Duration(simulatorIdle))
	c.Grace = cmp.Or(c.Grace, edge.Duration(simulatorGrace))
	return c
}

// maxSimulatorTime bounds each time: what is longer is a slip.
const maxSimulatorTime = 24 * time.Hour

// check reports what is wrong with it.
func (c simulatorConfig) check() error {
	return errors.Join(
		checkAddress("simulator.listen", c.Listen, true),
		checkSimulatorTime("idle", c.Idle), checkSimulatorTime("grace", c.Grace),
	)
}

func checkSimulatorTime(name string, d edge.Duration) error {
	if t := time.Duration(d); t != 0 && (t < time.Millisecond || t > maxSimulatorTime) {
		return fmt.Errorf("simulator.%s: %v is not from 1ms to %v", name, t, maxSimulatorTime)
	}
	return nil
}

// runs is the folder of the run logs, as it is found from anywhere.
func (c config) runs() (string, error) {
	if c.Simulator.Runs != "" {
		return filepath.Abs(c.Simulator.Runs)
	}
	state, err := c.Database.state()
	if err != nil {
		return "", fmt.Errorf("simulator.runs is needed: %w", err)
	}
	return filepath.Abs(filepath.Join(filepath.Dir(state), "simulator", "runs"))
}
