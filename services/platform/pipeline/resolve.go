package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// The bounds of what a run gives and gets.
const (
	maxResolved  = 4000    // characters of a step's text with the values in it
	maxArguments = 4 << 10 // bytes of a run's parameters as JSON
)

// ParametersInvalid is the rejection of what a run gives, where the pipeline
// declares something else.
const ParametersInvalid command.Rejection = "parameters_invalid"

func unfit(format string, args ...any) ([]Step, Refusal) {
	return nil, Refusal{ParametersInvalid, fmt.Sprintf(format, args...)}
}

// CheckArguments is a fault where what a run gives cannot be anybody's
// parameters.
func CheckArguments(arguments map[string]string) error {
	if len(arguments) > maxParameters {
		return fault.Newf(fault.Invalid, "parameters must have at most %d members", maxParameters)
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if !parameterName.MatchString(name) {
			return fault.New(fault.Invalid, "parameters must have names as a pipeline declares them")
		}
		if err := checkText("parameters."+name, arguments[name], 0, maxValue); err != nil {
			return err
		}
	}
	return nil
}

// Resolve gives the steps of a run: those of a checked definition, with the
// arguments and defaults in place of its parameters.
func (d Definition) Resolve(arguments map[string]string) ([]Step, Refusal) {
	values := map[string]string{}
	for _, p := range d.Parameters {
		value, given := arguments[p.Name]
		switch {
		case given:
			values[p.Name] = value
		case p.Default != nil:
			values[p.Name] = *p.Default
		default:
			return unfit("the parameter %s has no default and is missing", p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if _, declared := values[name]; !declared {
			return unfit("the version declares no parameter %s", name)
		}
	}
	if text, err := json.Marshal(arguments); err != nil || len(text) > maxArguments {
		return unfit("they have more than %d bytes of JSON", maxArguments)
	}
	steps := slices.Clone(d.Steps)
	for i := range steps {
		template := steps[i].template()
		if template == nil {
			continue
		}
		*template = expand(*template, values)
		if utf8.RuneCountInString(*template) > maxResolved {
			return unfit("they make the text of step %s longer than %d characters", steps[i].Name, maxResolved)
		}
	}
	return steps, Refusal{}
}
