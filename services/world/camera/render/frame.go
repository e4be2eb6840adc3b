package render

import (
	"image"
	"runtime"
	"sync"
	"sync/atomic"
)

// Frame is a picture and what is known of it.
type Frame struct {
	Image *image.RGBA
	// Unknown is how many rays came to a position that the scene knows nothing of:
	// such a picture shows less than is there.
	Unknown int
	// Known is the distance up to which no ray came to such a position, in blocks.
	Known float64
}

// Render makes the picture of a pose, with view blocks of sight at most. The
// scene was prepared. It uses as many threads as there are.
func Render(s *Scene, p Pose, view float64) Frame {
	f := Frame{Image: image.NewRGBA(image.Rect(0, 0, p.Width, p.Height))}
	var unknown, row atomic.Int64
	var mu sync.Mutex
	f.Known = view
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), p.Height) {
		workers.Go(func() {
			l, eye := p.lens(), p.EyeAt()
			nearest := view
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				f.Known = min(f.Known, nearest)
			}()
			for {
				y := int(row.Add(1)) - 1
				if y >= p.Height {
					return
				}
				line := f.Image.Pix[y*f.Image.Stride:]
				for x := range p.Width {
					c, known := s.look(eye, l.ray(x, y), view)
					if known < view {
						unknown.Add(1)
						nearest = min(nearest, known)
					}
					line[4*x], line[4*x+1], line[4*x+2], line[4*x+3] = c.bytes()
				}
			}
		})
	}
	workers.Wait()
	f.Unknown = int(unknown.Load())
	return f
}
