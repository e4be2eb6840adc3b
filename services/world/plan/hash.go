package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/google/uuid"
)

// Digest is the plan's hash: SHA-256, in lower-case hexadecimal digits, over a
// text of one line for each thing that decides what the plan does and for whom.
// The same plan always has the same, and it can be found out again from what
// the journal keeps. No state, project or identifier has a space or a line in it.
func (p *Plan) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "pharos plan 1\nkind %s\nworld %s\nproject %s\nplayer %s\n", p.Kind, p.World, p.Project, p.Player)
	digestID(h, "part", p.Part)
	digestID(h, "undoes", p.Undoes)
	fmt.Fprintf(h, "chain %d of %d\nregion %s %s\n", p.Index, p.Of, p.Region.Min, p.Region.Max)
	for _, c := range p.Changes {
		fmt.Fprintf(h, "change %s %s %s\n", c.Pos, c.Before, c.After)
	}
	for _, d := range p.Dependencies {
		fmt.Fprintf(h, "dependency %s %s\n", d.Pos, d.State)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func digestID(h hash.Hash, name string, id *uuid.UUID) {
	if id != nil {
		fmt.Fprintf(h, "%s %s\n", name, id)
	}
}
