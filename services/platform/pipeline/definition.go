package pipeline

// The bounds of a definition.
const (
	maxSteps      = 50
	maxParameters = 20
	maxText       = 2000      // characters of a step's text or message, as written
	maxRounds     = 1_000_000 // of a hash step
	maxWait       = 60_000    // milliseconds of a wait step
	maxValue      = 1000      // characters of a parameter's value
	maxDefinition = 8 << 10   // bytes of a definition as JSON, so that a page of versions stays below a reply's limit
)

// Definition is what a version of a pipeline does.
type Definition struct {
	Parameters []Parameter `json:"parameters"`
	Steps      []Step      `json:"steps"`
}

// Parameter is a value that each run gives, or takes from the default.
type Parameter struct {
	Name    string  `json:"name"`
	Default *string `json:"default,omitempty"` // nil: each run must give a value
}

// Kind says what a step does.
type Kind string

// The kinds of steps.
const (
	Echo Kind = "echo" // gives its text
	Hash Kind = "hash" // gives the digest of its text after some rounds of SHA-256
	Wait Kind = "wait" // lets time pass
	Fail Kind = "fail" // fails with its message
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Echo, Hash, Wait, Fail} }

// Step is one step. Which members count is a matter of its kind; the others
// are zero.
type Step struct {
	Kind         Kind   `json:"kind"`
	Name         string `json:"name"`
	Text         string `json:"text,omitempty"`         // echo, hash
	Rounds       int64  `json:"rounds,omitempty"`       // hash
	Milliseconds int64  `json:"milliseconds,omitempty"` // wait
	Message      string `json:"message,omitempty"`      // fail
}

// template is what of a step may refer to parameters.
func (s *Step) template() *string {
	switch s.Kind {
	case Echo, Hash:
		return &s.Text
	case Fail:
		return &s.Message
	default:
		return nil
	}
}
