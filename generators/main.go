package generators

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

const usage = `usage: mcpgen [-C DIR] [-format text|github|sarif] COMMAND [ARGUMENTS]

mcpgen turns API documents and a reviewed manifest.json into typed MCP tools.

  generate              write generated/; nothing is written if anything is wrong
  check                 name every generated file that is changed, missing or unexpected
  init [FLAGS] [SPEC…]  add a proposal for every operation without a decision
  init --project DIR SPEC
                        write a whole module that serves the API
  accept --all | KEY…   take proposals: "GET /pets" or the tool's name
  explain TOOL|KEY      show a tool's decision, request, size and schema

All paths are relative to DIR (default: here), the folder of go.mod and manifest.json.
Exit codes: 0 well, 1 problems found, 2 wrong usage.
`

// command is one invocation.
type command struct {
	dir            string
	format         string
	stdout, stderr io.Writer
}

// errUsage says that the invocation itself is wrong: exit code 2.
type errUsage string

func (e errUsage) Error() string { return string(e) }

// Main runs mcpgen with the arguments that follow the program's name and
// returns its exit code: 0, 1 for problems, 2 for wrong usage. It reads
// nothing from stdin.
func Main(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	c := &command{stdout: stdout, stderr: stderr}
	rest, err := c.parse("mcpgen", args, nil)
	if err == nil && len(rest) == 0 {
		err = errUsage("a command is missing")
	}
	if err == nil {
		err = c.run(rest[0], rest[1:])
	}
	var wrong errUsage
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "mcpgen: %v\n%s", err, usage)
		return 2
	}
	return report(c.format, err, stdout, stderr)
}

// parse reads flags, those of every command among them, and checks the format.
func (c *command) parse(name string, args []string, more func(*flag.FlagSet)) ([]string, error) {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&c.dir, "C", or(c.dir, "."), "the module's folder")
	f.StringVar(&c.format, "format", or(c.format, formatText), "text, github or sarif")
	if more != nil {
		more(f)
	}
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, errUsage(err.Error())
		}
		if name == "mcpgen" || f.NArg() == 0 {
			rest = append(rest, f.Args()...)
			break
		}
		rest, args = append(rest, f.Arg(0)), f.Args()[1:] // flags may follow arguments
	}
	if c.format != formatText && c.format != formatGitHub && c.format != formatSARIF {
		return nil, errUsage(fmt.Sprintf("format %q is not text, github or sarif", c.format))
	}
	return rest, nil
}

func (c *command) run(name string, args []string) error {
	switch name {
	case "generate":
		return c.generate(args)
	case "check":
		return c.check(args)
	case "init":
		return c.init(args)
	case "accept":
		return c.accept(args)
	case "explain":
		return c.explain(args)
	case "help":
		return flag.ErrHelp
	default:
		return errUsage(fmt.Sprintf("unknown command %q", name))
	}
}

// generate writes the generated folder.
func (c *command) generate(args []string) error {
	module, unlock, err := c.start("generate", args)
	if err != nil {
		return err
	}
	defer unlock()
	files, changes, err := c.compare(module)
	if err != nil {
		return err
	}
	if problems := refused(changes); len(problems) > 0 {
		return problems
	}
	if err := write(c.dir, changes, files); err != nil {
		return err
	}
	removed := 0
	for _, change := range changes {
		if change.kind == "unexpected" {
			removed++
		}
	}
	c.say("generate: %s, %d written, %d removed", plural(len(files), "file"), len(changes)-removed, removed)
	return nil
}

// check compares and never writes.
func (c *command) check(args []string) error {
	module, unlock, err := c.start("check", args)
	if err != nil {
		return err
	}
	defer unlock()
	files, changes, err := c.compare(module)
	if err != nil {
		return err
	}
	if err := drift(changes, files).Err(); err != nil {
		return err
	}
	c.say("check: ok, %s", plural(len(files), "file"))
	return nil
}

// start begins a command that takes no arguments: it finds the module's path
// and keeps other commands away from it.
func (c *command) start(name string, args []string) (module string, unlock func(), err error) {
	rest, err := c.parse(name, args, nil)
	if err != nil {
		return "", nil, err
	}
	if len(rest) > 0 {
		return "", nil, errUsage(name + " takes no arguments")
	}
	if module, err = c.module(); err != nil {
		return "", nil, err
	}
	unlock, err = lock(c.dir)
	return module, unlock, err
}

func (c *command) compare(module string) (Files, []change, error) {
	root := c.root()
	files, err := Generate(Config{Root: root, Module: module})
	if err != nil {
		return nil, nil, err
	}
	changes, err := compare(root, files)
	return files, changes, err
}

// root is the module's folder to read from.
func (c *command) root() fs.FS { return folder(c.dir) }

// folder reads a folder and what is below it. A link that leads out of it is an
// error, so that no document brings along a file of the machine it is read on.
func folder(dir string) fs.FS {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return os.DirFS(dir) // says the same of every file
	}
	return root.FS()
}

// module is the import path of the folder: that of the module it is in, and
// the way from there.
func (c *command) module() (string, error) {
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return "", err
	}
	below := ""
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			return modulePath(data, below)
		}
		parent := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if parent == dir {
			return "", spec.Problems{{
				Pos: spec.Pos{File: "go.mod"}, Rule: "E-08", Message: "there is no Go module here",
				Hint: "run go mod init PATH, or name the module's folder with -C",
			}}
		}
		below = path.Join(filepath.Base(dir), below)
		dir = parent
	}
}

func modulePath(mod []byte, below string) (string, error) {
	for line := range bytes.Lines(mod) {
		fields := strings.Fields(string(line))
		if len(fields) >= 2 && fields[0] == "module" {
			return path.Join(strings.Trim(fields[1], "\"`"), below), nil
		}
	}
	return "", spec.Problems{{Pos: spec.Pos{File: "go.mod"}, Rule: "E-08", Message: "go.mod names no module"}}
}

// say tells a person how it went; what a machine reads stays clean.
func (c *command) say(format string, args ...any) {
	w := c.stdout
	if c.format != formatText {
		w = c.stderr
	}
	fmt.Fprintf(w, format+"\n", args...)
}

func or(value, otherwise string) string {
	if value != "" {
		return value
	}
	return otherwise
}
