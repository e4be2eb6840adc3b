package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/camera/render"
)

// maxCameras bounds the fixed places to take pictures from.
const maxCameras = 64

// worldCameras are fixed places to take pictures from, by the names that
// camera_id takes. What a pose leaves out is as the tool has it.
type worldCameras map[string]render.Pose

// check reports what is wrong with them, in the order of their names.
func (c worldCameras) check() error {
	var found []error
	if len(c) > maxCameras {
		found = append(found, fmt.Errorf("world.cameras: %d are more than %d", len(c), maxCameras))
	}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if !nameForm.MatchString(name) {
			found = append(found, fmt.Errorf("world.cameras: %q is not 1 to 64 letters, digits, underscores and hyphens", name))
		}
		for _, wrong := range c[name].Defaults().Problems() {
			found = append(found, fmt.Errorf("world.cameras.%s: %w", name, wrong))
		}
	}
	return errors.Join(found...)
}
