package world

import (
	"context"
	"encoding/base64"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/plan"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// CameraCapture implements catalog.Handler (W-50 … W-52).
func (s *Service) CameraCapture(ctx context.Context, in *catalog.CameraCaptureInput) (to worldapi.CaptureModel, err error) {
	c, err := s.admit("camera_capture", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	b := in.Body
	if b.CaptureID != nil {
		if b.CameraID != nil || b.Pose != nil || b.AfterOperationID != nil || b.PlanID != nil {
			return to, fault.New(fault.Invalid, "capture_id asks for a capture that is under way: give nothing else beside it")
		}
		return s.captured(c, *b.CaptureID)
	}
	pose, err := s.pose(b.CameraID, b.Pose)
	if err != nil {
		return to, err
	}
	if b.AfterOperationID != nil {
		o, err := s.operation(ctx, c, *b.AfterOperationID)
		if err != nil {
			return to, err
		}
		if !o.Status.Ended() {
			return to, fault.Newf(worker.NotReady, "operation %s is %s; ask for the picture once it has ended", o.ID, o.Status)
		}
	}
	changes, err := s.preview(ctx, c, b.PlanID)
	if err != nil {
		return to, err
	}
	to.CaptureID, err = s.Desk.Order(c.project.ID, func(ctx context.Context) (worker.Frame, error) {
		return s.shoot(ctx, pose, changes)
	})
	to.Status = "pending"
	if b.PlanID != nil {
		to.Preview = new(true)
	}
	return to, err
}

// pose is where the picture is taken from: a camera's, or one's own.
func (s *Service) pose(camera *string, own *worldapi.PoseModel) (p render.Pose, err error) {
	switch {
	case (camera == nil) == (own == nil):
		return p, fault.New(fault.Invalid, "give a pose or a camera_id, and not both")
	case camera != nil:
		fixed, ok := s.Cameras[*camera]
		if !ok {
			return p, fault.Newf(fault.NotFound, "there is no camera %q; %s", *camera, s.cameras())
		}
		return fixed.Defaults(), nil
	}
	p = render.Pose{X: own.X, Y: own.Y, Z: own.Z, Yaw: own.Yaw, Pitch: own.Pitch}
	if own.Fov != nil {
		p.FOV = *own.Fov
	}
	if own.Width != nil {
		p.Width = int(*own.Width)
	}
	if own.Height != nil {
		p.Height = int(*own.Height)
	}
	p = p.Defaults()
	if err := p.Check(); err != nil {
		return p, fault.New(fault.Invalid, err.Error())
	}
	return p, nil
}

// cameras tells which ones there are.
func (s *Service) cameras() string {
	if len(s.Cameras) == 0 {
		return "none is set up: give a pose"
	}
	return "give a pose, or one of " + strings.Join(slices.Sorted(maps.Keys(s.Cameras)), ", ")
}

// preview is what a plan would change, nil without a plan.
func (s *Service) preview(ctx context.Context, c caller, id *string) ([]snapshot.Change, error) {
	if id == nil {
		return nil, nil
	}
	if !c.project.Has(project.Render) {
		return nil, fault.Newf(plan.NotEnabled, "this project has not switched on the extension %q", project.Render)
	}
	p, err := s.plan(ctx, c, *id)
	if err != nil {
		return nil, err
	}
	changes := make([]snapshot.Change, len(p.Changes))
	for i, ch := range p.Changes {
		changes[i] = snapshot.Change{Pos: ch.Pos, State: ch.After}
	}
	return changes, nil
}

// shoot takes a snapshot of what is there now, and has it drawn. What had ended
// when the picture was asked for is in it.
func (s *Service) shoot(ctx context.Context, pose render.Pose, changes []snapshot.Change) (worker.Frame, error) {
	eye := pose.EyeAt()
	middle := geom.Pos{X: int32(math.Floor(eye[0])), Y: int32(math.Floor(eye[1])), Z: int32(math.Floor(eye[2]))}
	shot, err := snapshot.Take(ctx, s.Host, middle, worker.View)
	if err != nil {
		return worker.Frame{}, seen(err)
	}
	if changes != nil {
		if shot, err = shot.With(changes); err != nil {
			return worker.Frame{}, seen(err)
		}
	}
	f, err := s.Camera.Frame(ctx, shot, worker.Order{Version: s.Host.Info().Version, Pose: pose})
	f.Preview = changes != nil
	return f, err
}

// seen is why there is no snapshot.
func seen(err error) error {
	if fault.CodeOf(err) != fault.Internal {
		return err
	}
	return fault.New(worker.NotReady, err.Error())
}

// captured tells how a capture is, or has its picture.
func (s *Service) captured(c caller, text string) (to worldapi.CaptureModel, err error) {
	id, err := parse("capture_id", text)
	if err != nil {
		return to, err
	}
	f, done, err := s.Desk.Fetch(c.project.ID, id.String())
	if err != nil {
		return to, err
	}
	to.CaptureID, to.Status = id.String(), "pending"
	if !done {
		return to, nil
	}
	image := base64.StdEncoding.EncodeToString(f.Image)
	return worldapi.CaptureModel{
		CaptureID: id.String(), Status: "done", Eye: &worldapi.CaptureEyeModel{X: f.Eye[0], Y: f.Eye[1], Z: f.Eye[2]},
		Revision: new(int64(f.Revision)), ServerRevisionVerified: new(!f.Preview), ChunksReady: new(true), FrameReady: new(true),
		ViewBlocks: new(int64(f.View)), Preview: &f.Preview, MimeType: &f.MediaType, ImageBase64: &image,
	}, nil
}
