package engine

import "github.com/pharos-mcp/pharos/services/simulator/city"

// warmer is the heat of a building after a tick in which so much of its
// neighbours' fires reaches it.
func warmer(heat, flux int64, class city.Class) int64 {
	critical := materials[class].critical
	if flux > critical {
		return heat + flux - critical
	}
	return max(0, heat-critical/2)
}
