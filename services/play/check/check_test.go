package check_test

import (
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/check"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const ok fault.Code = ""
	for name, test := range map[string]struct {
		err  error
		code fault.Code
	}{
		"text at its most":          {check.Text("x", "żżż", 1, 3), ok},
		"text over its most":        {check.Text("x", "żżżż", 1, 3), fault.Unprocessable},
		"text at its least":         {check.Text("x", "🗝", 1, 3), ok},
		"text under its least":      {check.Text("x", "", 1, 3), fault.Unprocessable},
		"text that may be empty":    {check.Text("x", "", 0, 3), ok},
		"white space, may be empty": {check.Text("x", " \n", 0, 3), ok},
		"white space":               {check.Text("x", "\u2003", 1, 3), fault.Unprocessable},
		"a mark alone is a text":    {check.Text("x", "\u0301", 1, 3), ok},
		"U+0000":                    {check.Text("x", "a\x00", 1, 3), fault.Invalid},
		"U+0000 in too long a text": {check.Text("x", "a\x00aaaa", 1, 3), fault.Invalid},
		"half a surrogate":          {check.Text("x", "\xed\xa0\x80", 1, 3), fault.Invalid},
		"replacement character":     {check.Text("x", "\ufffd", 1, 3), ok},
		"slug":                      {check.Slug("x", "a-0"), ok},
		"shortest slug":             {check.Slug("x", "0"), ok},
		"longest slug":              {check.Slug("x", strings.Repeat("a", check.MaxSlug)), ok},
		"longer slug":               {check.Slug("x", strings.Repeat("a", check.MaxSlug+1)), fault.Unprocessable},
		"empty slug":                {check.Slug("x", ""), fault.Unprocessable},
		"slug with a line feed":     {check.Slug("x", "a\n"), fault.Unprocessable},
		"slug with a hyphen first":  {check.Slug("x", "-a"), fault.Unprocessable},
		"slug of another script":    {check.Slug("x", "ż"), fault.Unprocessable},
		"choice":                    {check.Choice("x", "b", "a", "b"), ok},
		"no choice":                 {check.Choice("x", "", "a", "b"), fault.Unprocessable},
		"least":                     {check.Range("x", 1, 1, 3), ok},
		"under the least":           {check.Range("x", 0, 1, 3), fault.Unprocessable},
		"most":                      {check.Range("x", int64(3), 1, 3), ok},
		"over the most":             {check.Range("x", int32(4), 1, 3), fault.Unprocessable},
		"first page":                {check.Page(0, 1, 5), ok},
		"last page":                 {check.Page(check.MaxOffset, 5, 5), ok},
		"page before the first":     {check.Page(-1, 1, 5), fault.Unprocessable},
		"page after the last":       {check.Page(check.MaxOffset+1, 1, 5), fault.Unprocessable},
		"page of none":              {check.Page(0, 0, 5), fault.Unprocessable},
		"page of too many":          {check.Page(0, 6, 5), fault.Unprocessable},
		"nothing to refuse":         {check.All(nil, nil), ok},
		"the second of three":       {check.All(nil, check.Slug("x", ""), check.Text("x", "\x00", 0, 1)), fault.Unprocessable},
	} {
		if got := fault.CodeOf(test.err); got != test.code {
			t.Errorf("%s: %q: %v, want %q", name, got, test.err, test.code)
		}
	}
}
