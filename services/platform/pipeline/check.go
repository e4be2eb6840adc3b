package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// Refusal is why something breaks a rule, and in words what in it does. The
// zero Refusal is none.
type Refusal struct {
	Reason command.Rejection
	Detail string
}

// DefinitionInvalid is the rejection of a definition that breaks a rule which
// no schema can say.
const DefinitionInvalid command.Rejection = "definition_invalid"

// Check holds a definition against its bounds, which is a fault where it is
// outside of them, and against the rules between its parts.
func (d Definition) Check() (Refusal, error) {
	if err := d.bounds(); err != nil {
		return Refusal{}, err
	}
	if detail := d.contradiction(); detail != "" {
		return Refusal{DefinitionInvalid, detail}, nil
	}
	text, err := json.Marshal(d)
	if err == nil && len(text) > maxDefinition {
		return Refusal{DefinitionInvalid, fmt.Sprintf("it has %d bytes of JSON, more than %d", len(text), maxDefinition)}, nil
	}
	return Refusal{}, err
}

// contradiction tells what in a definition contradicts what, or "".
func (d Definition) contradiction() string {
	parameters, steps := map[string]bool{}, map[string]bool{}
	for _, p := range d.Parameters {
		if parameters[p.Name] {
			return fmt.Sprintf("two parameters have the name %s", p.Name)
		}
		parameters[p.Name] = true
	}
	for _, s := range d.Steps {
		if steps[s.Name] {
			return fmt.Sprintf("two steps have the name %s", s.Name)
		}
		steps[s.Name] = true
		template := s.template()
		if template == nil {
			continue
		}
		pieces, ok := parse(*template)
		if !ok {
			return fmt.Sprintf("in step %s, what follows ${ is no parameter's name and a }; $${ stands for ${ itself", s.Name)
		}
		for _, p := range pieces {
			if p.name != "" && !parameters[p.name] {
				return fmt.Sprintf("step %s refers to the parameter %s, which is not declared", s.Name, p.name)
			}
		}
	}
	return ""
}

func (d Definition) bounds() error {
	if n := len(d.Steps); n < 1 || n > maxSteps {
		return fault.Newf(fault.Invalid, "a definition must have from 1 to %d steps", maxSteps)
	}
	if len(d.Parameters) > maxParameters {
		return fault.Newf(fault.Invalid, "a definition must have at most %d parameters", maxParameters)
	}
	for i, p := range d.Parameters {
		if !parameterName.MatchString(p.Name) {
			return fault.Newf(fault.Invalid, "parameters[%d].name must match %s", i, parameterName)
		}
		if p.Default != nil {
			if err := checkText(fmt.Sprintf("parameters[%d].default", i), *p.Default, 0, maxValue); err != nil {
				return err
			}
		}
	}
	for i, s := range d.Steps {
		if err := s.bounds(fmt.Sprintf("steps[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

func (s Step) bounds(where string) error {
	if !stepName.MatchString(s.Name) {
		return fault.Newf(fault.Invalid, "%s.name must match %s", where, stepName)
	}
	only := Step{Kind: s.Kind, Name: s.Name}
	switch s.Kind {
	case Echo:
		only.Text = s.Text
	case Hash:
		only.Text, only.Rounds = s.Text, s.Rounds
		if s.Rounds < 1 || s.Rounds > maxRounds {
			return fault.Newf(fault.Invalid, "%s.rounds must be from 1 to %d", where, maxRounds)
		}
	case Wait:
		only.Milliseconds = s.Milliseconds
		if s.Milliseconds < 1 || s.Milliseconds > maxWait {
			return fault.Newf(fault.Invalid, "%s.milliseconds must be from 1 to %d", where, maxWait)
		}
	case Fail:
		only.Message = s.Message
	default:
		return fault.Newf(fault.Invalid, "%s.kind must be one of %v", where, Kinds())
	}
	if s != only {
		return fault.Newf(fault.Invalid, "%s must have only what its kind has", where)
	}
	if template := s.template(); template != nil {
		return checkText(where, *template, 0, maxText)
	}
	return nil
}

// checkText refuses what is no text of so many characters, or not plain.
func checkText(name, text string, least, most int) error {
	if n := utf8.RuneCountInString(text); n < least || n > most {
		return fault.Newf(fault.Invalid, "%s must have from %d to %d characters", name, least, most)
	}
	special := func(r rune) bool { return unicode.IsControl(r) && !slices.Contains([]rune{'\n', '\r', '\t'}, r) }
	if !utf8.ValidString(text) || slices.ContainsFunc([]rune(text), special) {
		return fault.Newf(fault.Invalid, "%s must be plain text", name)
	}
	return nil
}
