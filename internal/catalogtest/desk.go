package catalogtest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/deskapi"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/roomapi"
)

// Desk keeps the notes of every project. The zero value is an empty desk, safe
// for concurrent use.
type Desk struct {
	mu       sync.Mutex
	projects map[string]*project
}

var _ desk.Handler = (*Desk)(nil)

// project is one project's notes, by their order of making, and observations.
type project struct {
	last     int64
	notes    []deskapi.NoteModel
	recorded map[int64][]byte // by step
}

// locked runs f on a project while nothing else is.
func (d *Desk) locked(id string, f func(*project) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.projects == nil {
		d.projects = map[string]*project{}
	}
	p := d.projects[id]
	if p == nil {
		p = &project{recorded: map[int64][]byte{}}
		d.projects[id] = p
	}
	return f(p)
}

// find returns the place of a note.
func (p *project) find(id int64) (int, error) {
	i := slices.IndexFunc(p.notes, func(n deskapi.NoteModel) bool { return n.ID == id })
	if i < 0 {
		return 0, fault.Newf(fault.NotFound, "there is no note %d", id)
	}
	return i, nil
}

// CreateNote implements desk.Handler.
func (d *Desk) CreateNote(_ context.Context, in *desk.CreateNoteInput) (note deskapi.NoteModel, err error) {
	err = d.locked(in.Body.ProjectID, func(p *project) error {
		if slices.ContainsFunc(p.notes, func(n deskapi.NoteModel) bool { return n.Title == in.Body.Title }) {
			return fault.New(fault.Exists, "the title is taken")
		}
		p.last++
		note = deskapi.NoteModel{
			ID: p.last, Title: in.Body.Title, Text: in.Body.Text, Version: 1,
			Tags: append([]deskapi.TagModel{}, in.Body.Tags...),
		}
		p.notes = append(p.notes, note)
		return nil
	})
	return note, err
}

// GetNote implements desk.Handler.
func (d *Desk) GetNote(_ context.Context, in *desk.GetNoteInput) (note deskapi.NoteModel, err error) {
	err = d.locked(in.ProjectID, func(p *project) error {
		i, err := p.find(in.ID)
		if err == nil {
			note = p.notes[i]
		}
		return err
	})
	return note, err
}

// ListNotes implements desk.Handler.
func (d *Desk) ListNotes(_ context.Context, in *desk.ListNotesInput) (list deskapi.NotesModel, err error) {
	limit := 20
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	list.Notes = []deskapi.NoteModel{}
	err = d.locked(in.ProjectID, func(p *project) error {
		for _, note := range p.notes {
			if len(list.Notes) < limit && hasTags(note, in.Tag) {
				list.Notes = append(list.Notes, note)
			}
		}
		return nil
	})
	return list, err
}

// ListTags implements desk.Handler.
func (d *Desk) ListTags(_ context.Context, in *desk.ListTagsInput) (tags deskapi.ListTags200Model, err error) {
	tags = deskapi.ListTags200Model{}
	err = d.locked(in.ProjectID, func(p *project) error {
		for _, note := range p.notes {
			tags = append(tags, note.Tags...)
		}
		slices.Sort(tags)
		tags = slices.Compact(tags)
		return nil
	})
	return tags, err
}

func hasTags(note deskapi.NoteModel, tags []string) bool {
	return !slices.ContainsFunc(tags, func(tag string) bool { return !slices.Contains(note.Tags, tag) })
}

// UpdateNote implements desk.Handler.
func (d *Desk) UpdateNote(_ context.Context, in *desk.UpdateNoteInput) (note deskapi.NoteModel, err error) {
	err = d.locked(in.ProjectID, func(p *project) error {
		i, err := p.find(in.ID)
		if err != nil {
			return err
		}
		note = p.notes[i]
		note.Version++
		if in.Body != nil && in.Body.Title != nil {
			note.Title = *in.Body.Title
		}
		if in.Body != nil && in.Body.Text != nil {
			note.Text = in.Body.Text
		}
		if in.DryRun == nil || !*in.DryRun {
			p.notes[i] = note
		}
		return nil
	})
	return note, err
}

// DeleteNote implements desk.Handler.
func (d *Desk) DeleteNote(_ context.Context, in *desk.DeleteNoteInput) (tool.None, error) {
	return tool.None{}, d.locked(in.ProjectID, func(p *project) error {
		i, err := p.find(in.ID)
		if err == nil {
			p.notes = slices.Delete(p.notes, i, i+1)
		}
		return err
	})
}

// Tidy implements desk.Handler.
func (d *Desk) Tidy(_ context.Context, in *desk.TidyInput) (done roomapi.TidiedModel, err error) {
	if strings.TrimSpace(in.Body.ProjectID) == "" {
		return done, fault.New(fault.Invalid, "project_id is empty")
	}
	err = d.locked(in.Body.ProjectID, func(p *project) error {
		before := len(p.notes)
		p.notes = slices.DeleteFunc(p.notes, func(n deskapi.NoteModel) bool { return !slices.Contains(in.Body.Keep, n.ID) })
		done.Gone = int64(before - len(p.notes))
		return nil
	})
	return done, err
}
