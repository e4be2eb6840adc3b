package dataset

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"text/template"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

// texts are the files that do not depend on what is drawn, and the data card.
//
//go:embed files
var texts embed.FS

// File is one of those that are published.
type File struct {
	Name string
	Data []byte
}

// Files makes all of them, in the order of their names in SHA256SUMS, which is
// the last.
func Files() []File {
	files := make([]File, 0, 2*len(splits)+2)
	tallies := make([]tally, 0, len(splits))
	for _, s := range splits {
		data, t := s.lines()
		files = append(files, File{s.name + ".jsonl", data})
		tallies = append(tallies, t)
	}
	for _, name := range []string{"contact.schema.json", "prediction.schema.json", "LICENSE"} {
		files = append(files, File{name, text(name)})
	}
	files = append(files, File{"README.md", card(tallies)})
	var sums bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(f.Data), f.Name)
	}
	return append(files, File{"SHA256SUMS", sums.Bytes()})
}

func text(name string) []byte {
	data, err := texts.ReadFile("files/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return data
}

// card is the description of the data.
func card(tallies []tally) []byte {
	var b bytes.Buffer
	err := template.Must(template.New("card").Parse(string(text("README.md.tmpl")))).Execute(&b, struct {
		Mechanics int
		Splits    []tally
	}{engine.Mechanics, tallies})
	if err != nil {
		panic(err) // the template is embedded
	}
	return b.Bytes()
}

// Write writes the files into a folder, which it makes where there is none.
// Files of the same names are replaced.
func Write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, f := range Files() {
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
