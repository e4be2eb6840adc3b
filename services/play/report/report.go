package report

import (
	"bufio"
	"fmt"
	"io"
	"time"
)

// Write writes a report in a language, en or pl; any other reads as en. It
// stops at the first error, of the journal or of the writer.
func Write(w io.Writer, d Data, language string) error {
	words, ok := wordings[language]
	if !ok {
		words = wordings["en"]
	}
	p := &printer{wording: words, to: bufio.NewWriter(w)}
	p.head(d)
	p.assignment(d)
	if err := p.events(d); err != nil {
		return err
	}
	p.section(p.memory, d.Memory)
	if p.err != nil {
		return p.err
	}
	return p.to.Flush()
}

// printer writes the parts of a report, up to the first error of its writer.
type printer struct {
	*wording
	to  *bufio.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.to, format+"\n", args...)
	}
}

// field writes a line about one thing, whose value is Markdown.
func (p *printer) field(name, value string) { p.line("- **%s:** %s", name, value) }

// section writes a heading and a text of somebody.
func (p *printer) section(heading, text string) { p.line("\n## %s\n\n%s", heading, quote(text)) }

// part writes a text of somebody below what it is.
func (p *printer) part(name, text string) { p.line("\n**%s**\n\n%s", name, quote(text)) }

// head writes what a session is.
func (p *printer) head(d Data) {
	p.line("# %s: %s\n", p.title, inline(d.Title))
	p.field(p.gm, inline(d.GM))
	p.field(p.player, inline(d.Player))
	p.field(p.mode, p.term(d.Mode))
	p.field(p.status, p.term(d.Status))
	p.field(p.scene, inline(d.Scene))
	p.field(p.version, fmt.Sprint(d.Version))
	p.field(p.source, fmt.Sprint(d.SourceVersion))
	p.field(p.begun, moment(d.CreatedAt))
	p.field(p.changed, moment(d.UpdatedAt))
	p.field(p.pending, fmt.Sprint(d.Pending))
}

// assignment writes how it ended, where it has, and what was assigned.
func (p *printer) assignment(d Data) {
	if d.Summary != nil {
		p.section(p.summary, *d.Summary)
	}
	p.section(p.character, d.Character)
	p.section(p.brief, d.Brief)
	p.section(p.instructions, d.Instructions)
	p.section(p.boundaries, d.Boundaries)
	p.section(p.returning, d.ReturnCondition)
	if d.GMNotes != nil {
		p.section(p.notes, *d.GMNotes)
	}
}

// events writes the journal.
func (p *printer) events(d Data) error {
	p.line("\n## %s", p.journal)
	empty := true
	for e, err := range d.entries() {
		if err != nil {
			return err
		}
		empty = false
		p.event(e)
		if p.err != nil {
			return p.err // nobody reads on
		}
	}
	if empty {
		p.line("\n%s", p.none)
	}
	return nil
}

func (p *printer) event(e Entry) {
	kind := p.turn
	if e.Kind == "finish" {
		kind = p.finish
	}
	p.line("\n### %s (%s %d)\n", kind, p.at, e.Version)
	p.field(p.time, moment(e.At))
	p.field(p.scene, inline(e.Scene))
	if e.Kind == "finish" {
		p.part(p.summary, e.Summary)
		return
	}
	p.part(p.action, e.Action)
	p.part(p.narration, e.Narration)
	for _, c := range e.Consequences {
		p.consequence(c)
	}
}

func (p *printer) consequence(c Consequence) {
	p.line("\n#### %s: %s, %s\n", p.effect, p.term(c.Category), p.term(c.Status))
	p.line("%s", quote(c.Description))
	if c.DecidedAt != nil {
		p.line("\n%s: %s", p.decided, moment(*c.DecidedAt))
	}
	if c.Note != "" {
		p.part(p.note, c.Note)
	}
}

// moment writes a time.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
