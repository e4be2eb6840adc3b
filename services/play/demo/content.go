package demo

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/check"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

//go:embed content
var content embed.FS

// story is what is loaded, in one language.
type story struct {
	digest     [sha256.Size]byte // of all that it was read from
	scenario   scenario.NewScenario
	nodes      []scenario.NewNode
	pages      []page
	assignment assignment.NewAssignment
}

// page is a page of the wiki.
type page struct{ id, title, body string }

// read reads the story in a language.
func read(language string) (story, error) {
	if err := check.Choice("language", language, scenario.English, scenario.Polish); err != nil {
		return story{}, err
	}
	folder, err := fs.Sub(content, path.Join("content", language))
	if err != nil {
		return story{}, err
	}
	var s story
	h := sha256.New()
	err = fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(h, "%s\n%d\n%s", name, len(text), text)
		doc, err := parse(string(text))
		if err == nil {
			err = s.add(language, name, doc)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	s.digest = [sha256.Size]byte(h.Sum(nil))
	return s, err
}

// add puts a document where its name says it belongs.
func (s *story) add(language, name string, d document) error {
	folder, file := path.Split(name)
	id := strings.TrimSuffix(file, ".md")
	switch kind := path.Clean(folder); {
	case name == "scenario.md":
		s.scenario = scenario.NewScenario{Title: d.head["title"], Summary: d.parts["body"], Language: language}
	case name == "assignment.md":
		s.assignment = assignment.NewAssignment{
			Mode: d.head["mode"], Language: language,
			Character: d.parts["character"], Brief: d.parts["brief"], Instructions: d.parts["instructions"],
			Boundaries: d.parts["boundaries"], ReturnCondition: d.parts["return"], GMNotes: d.parts["gm"],
			PublishedNodeIDs: strings.Fields(d.head["published"]), AutoApprove: strings.Fields(d.head["approved"]),
		}
	case kind == "wiki":
		s.pages = append(s.pages, page{"demo-" + language + "-" + id, d.head["title"], d.parts["body"]})
	default:
		position, err := strconv.ParseInt(d.head["position"], 10, 32)
		if err != nil {
			return err
		}
		at := int32(position)
		s.nodes = append(s.nodes, scenario.NewNode{
			ID: id, Kind: kind, Title: d.head["title"], Body: d.parts["body"], GMNotes: d.parts["gm"], Position: &at,
		})
	}
	return nil
}

// document is a file: its head, and its parts by name, of which the first is
// the body.
type document struct{ head, parts map[string]string }

func parse(text string) (document, error) {
	d := document{head: map[string]string{}, parts: map[string]string{}}
	head, body, found := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !found {
		return d, fmt.Errorf("it has no head")
	}
	for line := range strings.Lines(head) {
		name, value, found := strings.Cut(line, ":")
		if !found {
			return d, fmt.Errorf("its head has the line %q", line)
		}
		d.head[name] = strings.TrimSpace(value)
	}
	part, lines := "body", strings.Builder{}
	for line := range strings.Lines(body) {
		if name, ok := heading(line); ok {
			d.parts[part] = flow(lines.String())
			part = name
			lines.Reset()
			continue
		}
		lines.WriteString(line)
	}
	d.parts[part] = flow(lines.String())
	return d, nil
}

// begins is how a line begins that does not go on with the one before it.
var begins = regexp.MustCompile(`^(\s*$|- |#|[0-9]+\. )`)

// flow makes one line of each paragraph and each item of a list, so that a
// screen may break it where it likes.
func flow(text string) string {
	var out strings.Builder
	open := false // a paragraph or an item may go on
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if fresh := begins.MatchString(line); open && !fresh {
			out.WriteString(" " + strings.TrimSpace(line))
		} else {
			out.WriteString("\n" + line)
		}
		open = strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#")
	}
	return strings.TrimSpace(out.String())
}

// heading gives the name of the part that a line begins.
func heading(line string) (name string, ok bool) {
	name, begins := strings.CutPrefix(strings.TrimSpace(line), "<!-- ")
	name, ends := strings.CutSuffix(name, " -->")
	return name, begins && ends
}
