package generators

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// The formats of diagnostics.
const (
	formatText   = "text"
	formatGitHub = "github"
	formatSARIF  = "sarif"
)

// report writes what is wrong, in the format that was asked for, and returns
// the exit code. Text goes to stderr; what a machine reads goes to stdout. The
// sarif format writes its document even if nothing is wrong.
func report(format string, err error, stdout, stderr io.Writer) int {
	var problems spec.Problems
	if err != nil && !errors.As(err, &problems) {
		fmt.Fprintf(stderr, "mcpgen: %s\n", printable(err.Error()))
		problems = spec.Problems{{Rule: "failure", Message: err.Error()}} // a machine reads no stderr
		if format == formatText {
			return 1
		}
	}
	for i, p := range problems {
		problems[i].Rule = or(p.Rule, "input")
		problems[i].Pos.File, problems[i].Message, problems[i].Hint = printable(p.Pos.File), printable(p.Message), printable(p.Hint)
	}
	switch {
	case format == formatSARIF:
		writeSARIF(stdout, problems)
	case format == formatGitHub:
		writeGitHub(stdout, problems)
	case len(problems) > 0:
		fmt.Fprintf(stderr, "%v\n", problems)
		fmt.Fprintf(stderr, "mcpgen: %s\n", plural(len(problems), "problem"))
	}
	if err != nil {
		return 1
	}
	return 0
}

// writeGitHub writes workflow commands, which GitHub shows beside the lines of
// a pull request.
func writeGitHub(w io.Writer, problems spec.Problems) {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, p := range problems {
		place := ""
		if p.Pos.File != "" {
			place = "file=" + property.Replace(p.Pos.File) + ","
		}
		if p.Pos.Line > 0 {
			place += fmt.Sprintf("line=%d,col=%d,", p.Pos.Line, p.Pos.Col)
		}
		message := p.Message
		if p.Hint != "" {
			message += "\nhint: " + p.Hint
		}
		fmt.Fprintf(w, "::error %stitle=%s::%s\n", place, property.Replace("mcpgen "+p.Rule), data.Replace(message))
	}
}

// The part of SARIF 2.1.0 that code scanning reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string    `json:"name"`
		Rules []sarifID `json:"rules"`
	}
	sarifID struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
)

func writeSARIF(w io.Writer, problems spec.Problems) {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "mcpgen", Rules: []sarifID{}}
	seen := map[string]bool{}
	for _, p := range problems {
		if !seen[p.Rule] {
			seen[p.Rule] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifID{p.Rule})
		}
		r := sarifResult{RuleID: p.Rule, Level: "error", Message: sarifText{p.Message}}
		if p.Hint != "" {
			r.Message.Text += "\nhint: " + p.Hint
		}
		place := sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: p.Pos.File}).String()}}
		if p.Pos.Line > 0 {
			place.Region = &sarifRegion{p.Pos.Line, p.Pos.Col}
		}
		if p.Pos.File != "" {
			r.Locations = []sarifLocation{{place}}
		}
		run.Results = append(run.Results, r)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	_ = e.Encode(sarifLog{ // strings and numbers always encode; a broken stdout has no one to tell
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// printable spells out what a document could hide in a message: controls that
// a terminal obeys, characters that nobody sees, and line breaks, behind which
// it could say something else, such as a command to the CI that prints it. The
// lines of a difference stay lines.
func printable(s string) string {
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == '\t' || strconv.IsPrint(c), c == '\n' && isDifference(s[i+1:]):
			b.WriteRune(c)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(c), "'"))
		}
	}
	return b.String()
}

func isDifference(line string) bool {
	line, ok := strings.CutPrefix(line, "\t\t")
	return ok && (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "… "))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
