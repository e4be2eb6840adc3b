package emit

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is the longest line of generated Go; a tab counts four columns.
const width = 100

// tab is how many columns one level of indentation takes.
const tab = 4

// wrap fills lines with words: the first line starts where the caller stands,
// tabs levels in and column columns further, the others tabs levels in. A word
// that starts with tabs has them only where it starts a line.
func wrap(tabs, column int, words []string) string {
	return wrapAt(width, tabs, column, words)
}

func wrapAt(width, tabs, column int, words []string) string {
	var b strings.Builder
	at := tabs*tab + column
	for i, word := range words {
		bare := strings.TrimLeft(word, "\t")
		switch {
		case i == 0:
			b.WriteString(bare)
			at += columns(bare)
		case at+1+columns(bare) > width:
			b.WriteString("\n" + strings.Repeat("\t", tabs) + word)
			at = tabs*tab + columns(word)
		default:
			b.WriteString(" " + bare)
			at += 1 + columns(bare)
		}
	}
	return b.String()
}

// columns is how wide a line is.
func columns(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tab-1)
}

// literal prints the fields of a composite literal in braces, tabs levels in;
// each group of fields starts a line. Its lines stay within the width after
// gofmt has aligned the values of lines that start with a name.
func literal(tabs int, groups ...[]string) string {
	indent := "\n" + strings.Repeat("\t", tabs+1)
	var s string
	for limit := width; limit > width/2; limit-- {
		var parts []string
		for _, group := range groups {
			if len(group) > 0 {
				parts = append(parts, wrapAt(limit, tabs+1, 0, group))
			}
		}
		s = strings.Join(parts, indent)
		if longest(s, tabs) <= width {
			break
		}
	}
	return "{" + strings.TrimSuffix(s, ",") + "}"
}

// longest is how many columns the longest line of a literal has once aligned.
func longest(s string, tabs int) int {
	lines := strings.Split(s, "\n")
	name, most := 0, 0
	for _, line := range lines[1:] {
		name = max(name, len(lineName(line)))
	}
	for i, line := range lines {
		n := columns(line)
		switch key := lineName(line); {
		case i == 0:
			n += (tabs + 1) * tab
		case key != "":
			n += name - len(key)
		}
		if i == len(lines)-1 {
			n += len("}") // closes the literal itself
		}
		most = max(most, n)
	}
	return most
}

// lineName is the name of the field that a line starts with, or "".
func lineName(line string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(line, "\t"), ":")
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return ""
	}
	return name
}

// call prints head(args)tail on one line that starts tabs levels in, or with
// the arguments on lines below it.
func call(tabs int, head string, args []string, tail string) string {
	line := head + "(" + strings.Join(args, ", ") + ")" + tail
	if tabs*tab+columns(line) <= width {
		return line
	}
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg + ","
	}
	indent := "\n" + strings.Repeat("\t", tabs)
	last := len(args) - 1
	if (tabs+1)*tab+columns(args[last])+len(")")+columns(tail) > width {
		return head + "(" + indent + "\t" + wrap(tabs+1, 0, words) + indent + ")" + tail
	}
	words[last] = args[last] + ")" + tail
	return head + "(" + indent + "\t" + wrap(tabs+1, 0, words)
}

// field is one field of a generated struct.
type field struct {
	Name string // "" for an embedded type
	Type string
	Tag  string // with its back quotes, or ""
}

// fields prints the fields of a struct, tabs levels in. Columns that gofmt
// aligns beyond the width are given up: the type then goes on in a line of its
// own, after its package.
func fields(tabs int, list []field) []string {
	var name, kind, tag int
	for _, f := range list {
		name = max(name, len(f.Name))
		kind = max(kind, len(f.Type))
		tag = max(tag, len(f.Tag))
	}
	broken := tabs*tab+name+1+kind+1+tag > width
	lines := make([]string, len(list))
	for i, f := range list {
		if broken {
			f.Type = breakType(tabs, f.Type)
		}
		lines[i] = strings.TrimLeft(f.Name+" "+f.Type, " ")
		if f.Tag != "" {
			lines[i] += " " + f.Tag
		}
	}
	return lines
}

// breakType goes on after the dot of a long qualified type on the next line.
func breakType(tabs int, name string) string {
	i := strings.LastIndexByte(name, '.') + 1
	if i == 0 || len(name) < width/3 {
		return name
	}
	return name[:i] + "\n" + strings.Repeat("\t", tabs+1) + name[i:]
}

// quote prints a string literal, split where it is longer than a line takes.
func quote(s string) string {
	const longest = 64
	var parts []string
	for utf8.RuneCountInString(s) > longest {
		cut := 0
		for range longest {
			_, n := utf8.DecodeRuneInString(s[cut:])
			cut += n
		}
		parts = append(parts, strconv.Quote(s[:cut]))
		s = s[cut:]
	}
	return strings.Join(append(parts, strconv.Quote(s)), " +\n")
}

// doc prints a comment without its first slashes, over lines where it is long.
func doc(s string) string {
	return strings.ReplaceAll(wrap(1, len("// "), strings.Split(s, " ")), "\n\t", "\n// ")
}

// comment makes text safe for one line of a Go comment.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
}
