package token_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestGuide holds what docs/authority.md shows of an API to the example that
// runs, line by line, but for the function around it.
//
// clause: E-59
func TestGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/authority.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(guide)
	if shown == nil {
		t.Fatal("the guide shows no Go")
	}
	around := regexp.MustCompile(`^(|\}|func .*|// .*|return err|trust := .*)$`)
	for line := range strings.Lines(string(shown[1])) {
		line = strings.TrimSpace(line)
		bare, _, _ := strings.Cut(line, " // ")
		if !around.MatchString(line) && !strings.Contains(string(example), bare) {
			t.Errorf("the example has no line %q", line)
		}
	}
}
