package world

import (
	"context"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// PartDefine implements catalog.Handler (W-19).
func (s *Service) PartDefine(ctx context.Context, in *catalog.PartDefineInput) (to worldapi.PartModel, err error) {
	c, err := s.admit("part_define", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	name := in.Body.Name
	if strings.TrimSpace(name) == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return to, fault.New(fault.Invalid, "name is not 1 to 64 printable characters")
	}
	o, err := s.operation(ctx, c, in.Body.OperationID)
	if err != nil {
		return to, err
	}
	p, err := s.Journal.PutPart(ctx, journal.Part{
		ID: uuid.New(), Project: c.project.ID, Player: c.player, Name: name, Operation: o.ID,
	})
	if err != nil {
		return to, err
	}
	crashpoint.At(crashpoint.PartDurable)
	return partTo(p), nil
}

// PartGet implements catalog.Handler (W-19).
func (s *Service) PartGet(ctx context.Context, in *catalog.PartGetInput) (to worldapi.PartModel, err error) {
	c, err := s.admit("part_get", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	p, err := s.part(ctx, c, in.Body.PartID)
	if err != nil {
		return to, err
	}
	return partTo(p), nil
}

// part finds a part of the caller's project.
func (s *Service) part(ctx context.Context, c caller, text string) (journal.Part, error) {
	id, err := parse("part_id", text)
	if err != nil {
		return journal.Part{}, err
	}
	return s.Journal.Part(ctx, c.project.ID, id)
}

func partTo(p journal.Part) worldapi.PartModel {
	return worldapi.PartModel{
		PartID: p.ID.String(), Name: p.Name, OperationID: p.Operation.String(), Bounds: boxTo(p.Bounds), Count: int64(len(p.Positions)),
		Protection: worldapi.PartProtectionModel{Mask: "exact", Extensions: "separate"},
	}
}
