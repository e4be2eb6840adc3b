package pipeline_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
)

func echo(name, text string) pipeline.Step {
	return pipeline.Step{Kind: pipeline.Echo, Name: name, Text: text}
}

func declared(names ...string) (all []pipeline.Parameter) {
	for _, name := range names {
		all = append(all, pipeline.Parameter{Name: name})
	}
	return all
}

func repeated(n int, step func(n int) pipeline.Step) (all []pipeline.Step) {
	for i := range n {
		all = append(all, step(i))
	}
	return all
}

func one(s pipeline.Step) pipeline.Definition { return pipeline.Definition{Steps: []pipeline.Step{s}} }

// The bounds of a definition, on both sides.
func TestBounds(t *testing.T) {
	t.Parallel()
	text := func(n int) *string { s := strings.Repeat("é", n); return &s }
	echoes := func(n int) pipeline.Definition {
		return pipeline.Definition{Steps: repeated(n, func(i int) pipeline.Step { return echo(fmt.Sprintf("s%d", i), "") })}
	}
	parameters := func(n int) pipeline.Definition {
		d := one(echo("a", ""))
		for i := range n {
			d.Parameters = append(d.Parameters, pipeline.Parameter{Name: fmt.Sprintf("p%d", i)})
		}
		return d
	}
	named := func(parameter, step string) pipeline.Definition {
		return pipeline.Definition{Parameters: declared(parameter), Steps: []pipeline.Step{echo(step, "")}}
	}
	value := func(v *string) pipeline.Definition {
		return pipeline.Definition{Parameters: []pipeline.Parameter{{Name: "a", Default: v}}, Steps: []pipeline.Step{echo("a", "")}}
	}
	hash := func(rounds int64) pipeline.Definition {
		return one(pipeline.Step{Kind: pipeline.Hash, Name: "a", Text: "x", Rounds: rounds})
	}
	wait := func(ms int64) pipeline.Definition {
		return one(pipeline.Step{Kind: pipeline.Wait, Name: "a", Milliseconds: ms})
	}
	nul, long := "\x00", strings.Repeat("a", 40)
	for name, c := range map[string]struct {
		d    pipeline.Definition
		says string // of the fault, "" for none
	}{
		"no steps":               {echoes(0), "from 1 to 50 steps"},
		"a step":                 {echoes(1), ""},
		"50 steps":               {echoes(50), ""},
		"51 steps":               {echoes(51), "from 1 to 50 steps"},
		"20 parameters":          {parameters(20), ""},
		"21 parameters":          {parameters(21), "at most 20 parameters"},
		"long names":             {named(long, long), ""},
		"a longer parameter":     {named(long+"a", "a"), "parameters[0].name must match"},
		"a parameter's case":     {named("A", "a"), "parameters[0].name must match"},
		"a parameter's hyphen":   {named("a-b", "a"), "parameters[0].name must match"},
		"a step's hyphen":        {named("a", "a-b"), ""},
		"a longer step":          {named("a", long+"a"), "steps[0].name must match"},
		"a step's digit":         {named("a", "1"), "steps[0].name must match"},
		"a default":              {value(text(1000)), ""},
		"a longer default":       {value(text(1001)), "parameters[0].default must have from 0 to 1000"},
		"a NUL":                  {value(&nul), "parameters[0].default must be plain text"},
		"a text":                 {one(echo("a", *text(2000))), ""},
		"a longer text":          {one(echo("a", *text(2001))), "steps[0] must have from 0 to 2000"},
		"lines":                  {one(echo("a", "a\r\n\tb")), ""},
		"an escape":              {one(echo("a", "\x1b[2J")), "steps[0] must be plain text"},
		"bytes":                  {one(echo("a", "\xff")), "steps[0] must be plain text"},
		"no rounds":              {hash(0), "steps[0].rounds must be from 1 to 1000000"},
		"a round":                {hash(1), ""},
		"a million rounds":       {hash(1_000_000), ""},
		"a round more":           {hash(1_000_001), "steps[0].rounds must be from 1 to 1000000"},
		"no time":                {wait(0), "steps[0].milliseconds must be from 1 to 60000"},
		"a minute":               {wait(60_000), ""},
		"more":                   {wait(60_001), "steps[0].milliseconds must be from 1 to 60000"},
		"a message":              {one(pipeline.Step{Kind: pipeline.Fail, Name: "a", Message: "no"}), ""},
		"another kind":           {one(pipeline.Step{Kind: "exec", Name: "a"}), "steps[0].kind must be one of"},
		"another kind's member":  {one(pipeline.Step{Kind: pipeline.Echo, Name: "a", Rounds: 1}), "steps[0] must have only"},
		"another kind's member2": {one(pipeline.Step{Kind: pipeline.Wait, Name: "a", Milliseconds: 1, Text: "x"}), "steps[0] must have only"},
	} {
		refusal, err := c.d.Check()
		if c.says == "" {
			if err != nil || refusal.Reason != "" {
				t.Errorf("%s: %v, %v", name, refusal, err)
			}
			continue
		}
		if fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", name, err, c.says)
		}
	}
}

// The rules between the parts of a definition.
func TestRules(t *testing.T) {
	t.Parallel()
	sized := func(bytes int) pipeline.Definition {
		d := pipeline.Definition{Parameters: []pipeline.Parameter{}, Steps: repeated(5, func(i int) pipeline.Step {
			return echo(fmt.Sprintf("s%d", i), "")
		})}
		text, _ := json.Marshal(d)
		left := bytes - len(text) - 5*len(`,"text":""`)
		for i := range d.Steps {
			n := min(left, 1700)
			d.Steps[i].Text = strings.Repeat("x", n)
			left -= n
		}
		return d
	}
	for name, c := range map[string]struct {
		d      pipeline.Definition
		detail string
	}{
		"every reference": {pipeline.Definition{Parameters: declared("a", "b"), Steps: []pipeline.Step{
			echo("one", "${a}${b}$$${a}$"), {Kind: pipeline.Hash, Name: "two", Text: "${b}", Rounds: 1}, {Kind: pipeline.Fail, Name: "three", Message: "${a}"},
		}}, ""},
		"an escaped reference": {one(echo("a", "$${b}")), ""},
		"two parameters": {
			pipeline.Definition{Parameters: declared("a", "a"), Steps: []pipeline.Step{echo("a", "")}}, "two parameters have the name a",
		},
		"two steps":       {pipeline.Definition{Steps: []pipeline.Step{echo("a", ""), echo("a", "")}}, "two steps have the name a"},
		"in an echo":      {one(echo("a", "x ${b}")), "step a refers to the parameter b, which is not declared"},
		"in a message":    {one(pipeline.Step{Kind: pipeline.Fail, Name: "a", Message: "${b}"}), "step a refers to the parameter b, which is not declared"},
		"no end":          {one(echo("a", "x ${b")), "in step a, what follows ${ is no parameter's name and a }; $${ stands for ${ itself"},
		"no name":         {one(echo("a", "${}")), "in step a, what follows ${ is no parameter's name and a }; $${ stands for ${ itself"},
		"no proper name":  {one(echo("a", "${B}")), "in step a, what follows ${ is no parameter's name and a }; $${ stands for ${ itself"},
		"as large as may": {sized(8192), ""},
		"too large":       {sized(8193), "it has 8193 bytes of JSON, more than 8192"},
	} {
		refusal, err := c.d.Check()
		if err != nil || refusal.Detail != c.detail || (refusal.Reason == pipeline.DefinitionInvalid) != (c.detail != "") {
			t.Errorf("%s: %v, %v; want %q", name, refusal, err, c.detail)
		}
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	fallback, empty := "world", ""
	d := pipeline.Definition{
		Parameters: []pipeline.Parameter{{Name: "how"}, {Name: "who", Default: &fallback}, {Name: "end", Default: &empty}},
		Steps: []pipeline.Step{
			echo("greet", "${how} ${who}${end}"),
			{Kind: pipeline.Hash, Name: "digest", Text: "$${how} is ${how}", Rounds: 3},
			{Kind: pipeline.Wait, Name: "pause", Milliseconds: 5},
			{Kind: pipeline.Fail, Name: "stop", Message: "no ${who}$"},
		},
	}
	before := slices.Clone(d.Steps)
	got, refusal := d.Resolve(map[string]string{"how": "${who}", "end": "!"})
	want := []pipeline.Step{
		echo("greet", "${who} world!"), // a value is no template
		{Kind: pipeline.Hash, Name: "digest", Text: "${how} is ${who}", Rounds: 3},
		{Kind: pipeline.Wait, Name: "pause", Milliseconds: 5},
		{Kind: pipeline.Fail, Name: "stop", Message: "no world$"},
	}
	if d := cmp.Diff(want, got); d != "" || refusal.Reason != "" {
		t.Errorf("%v (-want +got):\n%s", refusal, d)
	}
	if d := cmp.Diff(before, d.Steps); d != "" {
		t.Errorf("the definition has changed (-want +got):\n%s", d)
	}

	many := pipeline.Definition{Parameters: declared("a", "b", "c", "d", "e"), Steps: []pipeline.Step{echo("x", "")}}
	values := func(last int) map[string]string {
		v := map[string]string{}
		for _, name := range []string{"a", "b", "c", "d"} {
			v[name] = strings.Repeat("x", 1000)
		}
		v["e"] = strings.Repeat("x", last)
		return v
	}
	fits := 4096 - 4000 - len(`{"a":"","b":"","c":"","d":"","e":""}`)
	for name, c := range map[string]struct {
		d         pipeline.Definition
		arguments map[string]string
		detail    string
	}{
		"missing":       {d, nil, "the parameter how has no default and is missing"},
		"undeclared":    {d, map[string]string{"how": "", "zz": "", "why": ""}, "the version declares no parameter why"},
		"large":         {many, values(fits), ""},
		"too large":     {many, values(fits + 1), "they have more than 4096 bytes of JSON"},
		"a long text":   {pipeline.Definition{Parameters: declared("a"), Steps: []pipeline.Step{echo("x", "${a}${a}${a}${a}")}}, map[string]string{"a": strings.Repeat("é", 1000)}, ""},
		"a longer text": {pipeline.Definition{Parameters: declared("a"), Steps: []pipeline.Step{echo("x", "${a}${a}${a}${a}.")}}, map[string]string{"a": strings.Repeat("é", 1000)}, "they make the text of step x longer than 4000 characters"},
	} {
		_, refusal := c.d.Resolve(c.arguments)
		if refusal.Detail != c.detail || (refusal.Reason == pipeline.ParametersInvalid) != (c.detail != "") {
			t.Errorf("%s: %v; want %q", name, refusal, c.detail)
		}
	}
}

func TestCheckArguments(t *testing.T) {
	t.Parallel()
	many := func(n int) map[string]string {
		all := map[string]string{}
		for i := range n {
			all[fmt.Sprintf("p%d", i)] = ""
		}
		return all
	}
	for name, c := range map[string]struct {
		arguments map[string]string
		ok        bool
	}{
		"none":           {nil, true},
		"many":           {many(20), true},
		"too many":       {many(21), false},
		"a value":        {map[string]string{"a": strings.Repeat("é", 1000)}, true},
		"a longer value": {map[string]string{"a": strings.Repeat("é", 1001)}, false},
		"a NUL":          {map[string]string{"a": "\x00"}, false},
		"another name":   {map[string]string{"A": ""}, false},
	} {
		if err := pipeline.CheckArguments(c.arguments); (err == nil) != c.ok || err != nil && fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
