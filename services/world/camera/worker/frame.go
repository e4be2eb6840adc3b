package worker

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image/png"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
)

// The bounds of pictures.
const (
	View     = 160        // blocks that are seen at most
	Least    = 24         // blocks without anything missing that a picture needs
	MaxImage = 12_000_000 // characters of a picture in base64
)

// Order is what a picture is asked for with, beside the snapshot.
type Order struct {
	Version string      `json:"version"` // of the game: "1.20.2"
	Pose    render.Pose `json:"pose"`
}

// Frame is a picture.
type Frame struct {
	Revision uint64        `json:"revision"` // of the snapshot that it shows
	Eye      render.Vector `json:"eye"`
	// View is how far is seen, in blocks: as far as nothing is missing.
	View      int    `json:"view"`
	MediaType string `json:"mediaType"`
	Image     []byte `json:"image"`
	// Preview is whether it shows what is only planned; the worker cannot know.
	Preview bool `json:"-"`
}

// ErrMissing is a picture that would show less than there is.
var ErrMissing = errors.New("chunks in view are not in the world's files")

// Draw makes a picture. It is cut off in fog where something in view begins to
// be missing; nearer than Least blocks there is none.
func Draw(s *snapshot.Snapshot, o Order) (Frame, error) {
	pose := o.Pose.Defaults()
	if err := pose.Check(); err != nil {
		return Frame{}, err
	}
	pack, err := blocks.Load(o.Version)
	if err != nil {
		return Frame{}, err
	}
	scene := s.Scene(pack)
	if cell, within := scene.Within(pose.EyeAt()); within {
		return Frame{}, fmt.Errorf("the eye, %v above y, is inside of %s: take the picture from somewhere else", render.Eye, s.Palette[cell])
	}
	view := View
	f := render.Render(scene, pose, float64(view))
	if f.Unknown > 0 {
		view = int(f.Known)
		if view < Least {
			return Frame{}, fmt.Errorf("%w, %d blocks from the eye", ErrMissing, view)
		}
		f = render.Render(scene, pose, float64(view))
	}
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&file, f.Image); err != nil {
		return Frame{}, err
	}
	if n := base64.StdEncoding.EncodedLen(file.Len()); n > MaxImage {
		return Frame{}, fmt.Errorf("the picture has %d characters in base64, and %d are allowed: ask for fewer pixels", n, MaxImage)
	}
	return Frame{Revision: s.Revision, Eye: pose.EyeAt(), View: view, MediaType: "image/png", Image: file.Bytes()}, nil
}
