package run

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLog bounds a log in bytes. Of a longer one the end is given.
const maxLog = 512 << 10

// logPage is how many steps are read at a time.
const logPage = 50

// leftOut begins a log whose beginning is left out.
const leftOut = "(the beginning is left out)\n"

// readLog puts a log together from its end, so that no more is read than is
// given. The function gives the steps before one, the last of them first.
func readLog(
	ctx context.Context, before func(ctx context.Context, attempt, number int64) ([]step, error),
) (string, error) {
	var entries []string
	size, attempt, number := 0, int64(math.MaxInt64), int64(math.MaxInt64)
	for {
		steps, err := before(ctx, attempt, number)
		if err != nil {
			return "", err
		}
		for _, s := range steps {
			entry := entryOf(s)
			if room := maxLog - size - len(leftOut); len(entry) > room {
				entries = append(entries, tail(entry, room), leftOut)
				return joined(entries), nil
			}
			entries = append(entries, entry)
			size += len(entry)
			attempt, number = s.Attempt, s.Number
		}
		if len(steps) < logPage {
			return joined(entries), nil
		}
	}
}

// entryOf is what a log says of a step.
func entryOf(s step) string {
	mark := ""
	if s.Failed {
		mark = " failed"
	}
	return fmt.Sprintf("#%d.%d %s%s: %s\n", s.Attempt, s.Number, s.Name, mark, s.Output)
}

// tail cuts a text to its last bytes, at the beginning of a character.
func tail(text string, most int) string {
	text = text[len(text)-most:]
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

func joined(backwards []string) string {
	slices.Reverse(backwards)
	return strings.Join(backwards, "")
}
