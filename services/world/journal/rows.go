package journal

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// operationFrom is an operation as it is kept.
func operationFrom(r worlddb.GetOperationRow) (Operation, error) {
	o := Operation{
		ID: r.ID, Plan: r.PlanID, World: r.WorldID, Project: r.Project, Player: r.PlayerID, Key: r.Key, Number: r.Number,
		Kind: Kind(r.Kind), Undoes: r.UndoesID, Region: region(r.MinX, r.MinY, r.MinZ, r.MaxX, r.MaxY, r.MaxZ),
		Status: Status(r.Status), Total: int(r.Total), Written: int(r.Written), Conflicts: int(r.Conflicts),
		Paused: r.Paused, CancelRequested: r.CancelRequested, UndoOff: r.UndoOff, Reason: r.Reason,
		Created: r.CreatedAt, Ended: r.EndedAt,
	}
	if r.Digest != nil {
		o.Digest = *r.Digest
	}
	var err error
	if o.Sample, err = sampleFrom(r.Sample); err != nil {
		return Operation{}, fmt.Errorf("operation %s: %w", r.ID, err)
	}
	return o, nil
}

// mismatch is a conflict as it is kept.
type mismatch struct {
	X        int32  `json:"x"`
	Y        int32  `json:"y"`
	Z        int32  `json:"z"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
}

func sampleFrom(text []byte) ([]Conflict, error) {
	var kept []mismatch
	if err := json.Unmarshal(text, &kept); err != nil {
		return nil, fmt.Errorf("sample of conflicts: %w", err)
	}
	sample := make([]Conflict, len(kept))
	for i, k := range kept {
		sample[i] = Conflict{geom.Pos{X: k.X, Y: k.Y, Z: k.Z}, k.Expected, k.Actual}
	}
	return sample, nil
}

// sampleText writes the first MaxSample conflicts.
func sampleText(sample []Conflict) ([]byte, error) {
	kept := make([]mismatch, min(len(sample), MaxSample))
	for i := range kept {
		c := sample[i]
		kept[i] = mismatch{c.X, c.Y, c.Z, clip(c.Expected, MaxState), clip(c.Actual, MaxState)}
	}
	return json.Marshal(kept)
}

// clip makes text what the database can keep in so many bytes.
func clip(text string, most int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
