package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// usageError is a mistake in how the program was called.
type usageError string

func (e usageError) Error() string { return string(e) }

// helpError asks for the usage of a command.
type helpError string

func (e helpError) Error() string { return string(e) }

// newFlags makes flags that print nothing by themselves.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parseFlags parses flags whose help is a text of ours.
func parseFlags(flags *flag.FlagSet, args []string, help string) error {
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return helpError(help)
	}
	if err != nil {
		return usageError(err.Error())
	}
	return nil
}

// unknownCommand is what is said of a command that there is not, or that is left
// out.
func unknownCommand(of, name string) error {
	if name == "" {
		return usageError(of + " needs a command")
	}
	return usageError(fmt.Sprintf("unknown command %q of %s", name, of))
}

// operands holds what is left behind the flags to the names of what is needed.
func operands(command string, given []string, names ...string) error {
	if len(names) == 0 && len(given) > 0 {
		return usageError(fmt.Sprintf("%s takes nothing behind its flags, not %q", command, given[0]))
	}
	if len(given) != len(names) || slices.Contains(given, "") {
		return usageError(fmt.Sprintf("%s needs %s", command, strings.Join(names, ", ")))
	}
	return nil
}

// isGiven reports whether a flag stands among the arguments.
func isGiven(flags *flag.FlagSet, name string) (given bool) {
	flags.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}
