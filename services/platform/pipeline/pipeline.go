package pipeline

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/platform/command"
)

// maxVersions is how many versions a pipeline can have.
const maxVersions = 1000

// State is the state of a pipeline.
type State string

// The states.
const (
	Draft     State = "draft"
	Published State = "published"
	Retired   State = "retired"
)

// The rejections of commands that a pipeline's state does not allow.
const (
	isRetired        command.Rejection = "pipeline_retired"
	isDraft          command.Rejection = "pipeline_draft"
	isPublished      command.Rejection = "pipeline_published"
	nothingToPublish command.Rejection = "nothing_to_publish"
	versionLimit     command.Rejection = "version_limit"
)

// Pipeline is a pipeline with its newest definition; lists leave that out.
type Pipeline struct {
	ID          uuid.UUID
	Project     uuid.UUID
	Name        string
	Description string
	State       State
	Latest      int64  // the newest version
	Published   *int64 // the newest version that runs may name; nil for a draft
	Revision    int64  // how often it was changed, its creation included
	CreatedBy   uuid.UUID
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Definition  Definition
}

// Version is one definition of a pipeline.
type Version struct {
	Number      int64
	Definition  Definition
	CreatedBy   uuid.UUID
	CreatedAt   time.Time
	PublishedAt *time.Time // nil: no run may name it
}

// Change says what of a pipeline is to become what; nil leaves it.
type Change struct {
	Name        *string
	Description *string
	Definition  *Definition
}

// revise changes a pipeline that is not retired. A definition becomes its
// newest version.
func (p *Pipeline) revise(c Change) command.Rejection {
	switch {
	case p.State == Retired:
		return isRetired
	case c.Definition != nil && p.Latest >= maxVersions:
		return versionLimit
	}
	if c.Name != nil {
		p.Name = *c.Name
	}
	if c.Description != nil {
		p.Description = *c.Description
	}
	if c.Definition != nil {
		p.Latest++
		p.Definition = *c.Definition
	}
	return ""
}

// publish lets runs name the newest version.
func (p *Pipeline) publish() command.Rejection {
	switch {
	case p.State == Retired:
		return isRetired
	case p.Published != nil && *p.Published == p.Latest:
		return nothingToPublish
	}
	latest := p.Latest
	p.State, p.Published = Published, &latest
	return ""
}

// retire ends that runs may name any version.
func (p *Pipeline) retire() command.Rejection {
	switch p.State {
	case Retired:
		return isRetired
	case Draft:
		return isDraft
	}
	p.State = Retired
	return ""
}

// discard says whether a pipeline may be deleted.
func (p *Pipeline) discard() command.Rejection {
	switch p.State {
	case Published:
		return isPublished
	case Retired:
		return isRetired
	}
	return ""
}
