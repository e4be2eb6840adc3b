package catalogtest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
)

// Observe implements desk.Handler. What a step shows is recorded once, in a
// spelling that no encoder would choose, and then handed out as it stands.
func (d *Desk) Observe(_ context.Context, in *desk.ObserveInput) (stored tool.RawJSON, err error) {
	err = d.locked(in.Body.ProjectID, func(p *project) error {
		if p.recorded[in.Body.Step] == nil {
			p.recorded[in.Body.Step] = fmt.Appendf(nil, `{ "seen":[1.50,2e1, %d.0],  "step":%d}`, len(p.notes), in.Body.Step)
		}
		stored = bytes.Clone(p.recorded[in.Body.Step])
		return nil
	})
	return stored, err
}

// DrawPicture implements desk.Handler.
func (d *Desk) DrawPicture(_ context.Context, in *desk.DrawPictureInput) (picture tool.Image, err error) {
	width := 8
	if in.Width != nil {
		width = int(*in.Width)
	}
	err = d.locked(in.ProjectID, func(p *project) error {
		canvas := image.NewGray(image.Rect(0, 0, width, len(p.notes)/width+1))
		for i := range p.notes {
			canvas.SetGray(i%width, i/width, color.Gray{Y: 255})
		}
		var b bytes.Buffer
		picture.MediaType = "image/png"
		err := png.Encode(&b, canvas)
		picture.Data = b.Bytes()
		return err
	})
	return picture, err
}
