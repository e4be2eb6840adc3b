package main

import (
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
)

// trueReasons are the rules by which a document may be refused: files of it
// are missing, it has no operations, or its version is none that is supported.
var trueReasons = []string{"missing-file", "no-operations", "version"}

// refusal asks the command that failed once more, in a form to read, and
// returns the reason if nothing else is wrong with the document, or "".
func (p project) refusal(ctx context.Context, command []string) string {
	c := exec.CommandContext(ctx, command[0], append([]string{"-format", "sarif"}, command[1:]...)...)
	c.Dir, c.Env = p.dir, p.env
	out, _ := c.Output() // it fails, as it did before
	return reason(out)
}

// reason reads the true reason out of a SARIF log.
func reason(log []byte) string {
	var sarif struct {
		Runs []struct {
			Results []struct {
				RuleID  string `json:"ruleId"`
				Message struct {
					Text string `json:"text"`
				} `json:"message"`
			} `json:"results"`
		} `json:"runs"`
	}
	if json.Unmarshal(log, &sarif) != nil {
		return ""
	}
	first := ""
	for _, run := range sarif.Runs {
		for _, r := range run.Results {
			if !slices.Contains(trueReasons, r.RuleID) {
				return ""
			}
			if first == "" {
				first, _, _ = strings.Cut(r.Message.Text, "\n")
			}
		}
	}
	return first
}
