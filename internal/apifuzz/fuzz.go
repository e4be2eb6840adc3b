package apifuzz

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// Actor is somebody who sends requests.
type Actor struct {
	Name   string
	Weight int // how often, beside the others
	// Header gives what the requests carry beside their own headers.
	Header func() map[string]string
	// Only are the operations that the actor calls; nil are all that Except
	// does not name.
	Only, Except []string
}

func (a *Actor) header() map[string]string {
	if a.Header == nil {
		return nil
	}
	return a.Header()
}

func (a *Actor) calls(op string) bool {
	if a.Only != nil {
		return slices.Contains(a.Only, op)
	}
	return !slices.Contains(a.Except, op)
}

// Config says what is tried, and how.
type Config struct {
	Document *Document
	Seed     uint64
	Requests int // as many again are sent until every operation has succeeded
	Actors   []*Actor
	// Origin begins each target, as in "http://127.0.0.1:8081".
	Origin string
	Send   func(*http.Request) (*http.Response, error)
	// Skip are operations that are not tried.
	Skip []string
	// First are operations that are called in their order at first, and again
	// now and then, so that there are things that the others are about.
	First []string
	// Ending are operations, beside each DELETE, that leave less to do.
	Ending []string
	// Rare are operations that are tried seldom, since they are slow.
	Rare []string
	// Aliases are members that name things of a collection, without "_id".
	Aliases map[string]string
	// Shared are collections whose things everybody may name, seen or not.
	Shared []string
	// Tune makes bodies that the schema allows into such as rules allow that
	// no schema says, by operation.
	Tune map[string]func(r *rand.Rand, m *Memory, by *Actor, body map[string]any)
	// Excused tells whether a valid request may be an invalid_request all the
	// same, by what the problem says.
	Excused func(op, title string) bool
}

// every says after how many requests the First operations are called again.
const every = 200

// maxFailures ends a run.
const maxFailures = 20

// fuzzer is one run.
type fuzzer struct {
	drawer
	config Config
	memory *Memory
	etags  map[string]string // by path
	report *Report
	// How often an operation was forbidden to an actor.
	forbidden map[string]int
	recent    []string // the last requests that changed something
	current   int
	opening   bool   // whether the First operations are called
	by        *Actor // who sends the request that is drawn
}

// Run tries the API. The error is that of the document or of the connection;
// what the API does wrong is in the report.
func Run(c Config) (*Report, error) {
	f := &fuzzer{
		config: c, memory: newMemory(c.Document, c.Aliases, c.Shared), report: newReport(c),
		etags: map[string]string{}, forbidden: map[string]int{},
	}
	f.drawer = drawer{rand.New(rand.NewPCG(c.Seed, 1)), c.Document, nil}
	f.known = f.member
	for ; f.current < c.Requests || f.current < 2*c.Requests && len(f.report.Unreached()) > 0; f.current++ {
		if len(f.report.Failures) >= maxFailures {
			break
		}
		if err := f.next(); err != nil {
			return f.report, fmt.Errorf("seed %d, request %d: %w", c.Seed, f.current, err)
		}
	}
	return f.report, nil
}

// next sends the next request of a run.
func (f *fuzzer) next() error {
	if n := f.current % every; n < len(f.config.First) {
		for _, op := range f.doc.Operations {
			if op.ID == f.config.First[n] {
				f.opening, f.memory.newest = true, true
				return f.step(op)
			}
		}
		return fmt.Errorf("there is no operation %s", f.config.First[n])
	}
	f.opening, f.memory.newest = false, false
	return f.step(f.operation())
}

// step sends one request, and some of them twice.
func (f *fuzzer) step(op *Operation) error {
	r, err := f.valid(op)
	if err != nil {
		return err
	}
	if !f.opening && f.IntN(3) == 0 {
		f.spoil(r)
	}
	a, err := f.try(r)
	if err != nil || a == nil {
		return err
	}
	if op.writes() && r.invalid == "" && f.IntN(8) == 0 {
		return f.again(r, a)
	}
	return nil
}

// operation chooses one, of several rather the one that had the fewest
// successes yet.
func (f *fuzzer) operation() *Operation {
	var chosen *Operation
	for range 1 + f.IntN(3) {
		op := f.doc.Operations[f.IntN(len(f.doc.Operations))]
		for f.passedOver(op) {
			op = f.doc.Operations[f.IntN(len(f.doc.Operations))]
		}
		if chosen == nil || f.report.succeeded(op.ID) < f.report.succeeded(chosen.ID) {
			chosen = op
		}
	}
	return chosen
}

func (f *fuzzer) passedOver(op *Operation) bool {
	ends := op.Method == "DELETE" || slices.Contains(f.config.Ending, op.ID)
	return slices.Contains(f.config.Skip, op.ID) ||
		slices.Contains(f.config.Rare, op.ID) && f.IntN(6) > 0 ||
		ends && f.IntN(2) > 0
}

// actor chooses one that calls an operation, rather one to whom it has not
// been forbidden.
func (f *fuzzer) actor(op *Operation) *Actor {
	if i := slices.IndexFunc(f.config.Actors, func(a *Actor) bool { return a.calls(op.ID) }); f.opening && i >= 0 {
		return f.config.Actors[i]
	}
	weight := func(a *Actor) int {
		if !a.calls(op.ID) {
			return 0
		}
		return 1 + 8*a.Weight/(1+f.forbidden[op.ID+" "+a.Name])
	}
	sum := 0
	for _, a := range f.config.Actors {
		sum += weight(a)
	}
	n := f.IntN(sum)
	for _, a := range f.config.Actors {
		if n -= weight(a); n < 0 {
			return a
		}
	}
	panic("apifuzz: weights do not add up")
}

// try sends a request, checks the reply and learns from it. The answer is nil
// where it is wrong.
func (f *fuzzer) try(r *request) (*answer, error) {
	a, err := f.send(r)
	if err != nil {
		return nil, err
	}
	f.report.count(r, a.status)
	if a.status == http.StatusForbidden {
		f.forbidden[r.op.ID+" "+r.actor.Name]++
	}
	if kind, detail := f.wrong(r, a); kind != "" {
		if f.report.known(r.op.ID, kind) {
			return nil, nil
		}
		least, reply := f.shrink(r, a, kind)
		if _, d := f.wrong(least, reply); d != "" {
			detail = d
		}
		f.fail(kind, detail, least, reply)
		return nil, nil
	}
	if a.status == http.StatusNotFound && len(r.path) == 1 && !r.op.creates() {
		f.memory.lose(r.actor, collectionOf(r.op.Path, "id"), r.path["id"])
	}
	if r.op.Method == "DELETE" && len(r.path) == 1 && a.status < 300 {
		f.memory.forget(collectionOf(r.op.Path, "id"), r.path["id"])
		return a, nil
	}
	if tag := a.header.Get("ETag"); tag != "" && a.status < 300 {
		f.etags[r.op.Path] = strings.Trim(tag, `"`)
		if revision := object(a.body)["revision"]; revision != nil && `"`+plain(revision)+`"` != tag {
			f.fail("the ETag is not the revision", tag, r, a)
		}
	}
	if len(r.path) > 1 && a.status < 300 && r.method != http.MethodDelete {
		f.memory.paths[r.op.Path] = append(f.memory.paths[r.op.Path], maps.Clone(r.path))
	}
	f.memory.learn(r.op, r.actor, r.url(), a.status, a.body)
	if r.method != http.MethodGet && a.status < 300 {
		f.recent = append(f.recent, r.String())
	}
	return a, nil
}

// again repeats a command, unchanged and then with a difference.
func (f *fuzzer) again(r *request, first *answer) error {
	second, err := f.try(r)
	if err != nil || second == nil {
		return err
	}
	kept := first.status < 300 || first.status == 409 || first.status == 422 || first.status == 404 && first.body != nil
	isProblem := strings.HasPrefix(first.header.Get("Content-Type"), "application/problem+json")
	if kept && !isProblem && (second.status != first.status || string(second.raw) != string(first.raw)) {
		answer := fmt.Sprintf("first %d %s", first.status, short(first.raw, 500))
		f.fail("a repeated command has another answer", answer, r, second)
		return nil
	}
	if isProblem || r.header[matchHeader] == "" {
		return nil
	}
	other := r.clone()
	other.header[matchHeader] = "987654321"
	third, err := f.try(other)
	if err != nil || third == nil {
		return err
	}
	if third.status != http.StatusConflict {
		f.fail("another request under the key of one before is no conflict", "", other, third)
	}
	return nil
}

func (f *fuzzer) send(r *request) (*answer, error) {
	q, err := r.http(f.config.Origin)
	if err != nil {
		return nil, err
	}
	reply, err := f.config.Send(q)
	if err != nil {
		return nil, errors.Join(err, errors.New(r.String()))
	}
	return read(reply)
}

// fail records a failure, the first of its kind of an operation.
func (f *fuzzer) fail(kind, detail string, r *request, a *answer) {
	if f.report.known(r.op.ID, kind) {
		return
	}
	failure := Failure{Request: f.current, Operation: r.op.ID, Kind: kind, Detail: detail, Sent: r.String()}
	failure.Got = fmt.Sprintf("%d %s", a.status, short(a.raw, 2000))
	id := r.path["id"]
	for _, before := range f.recent {
		if len(id) == len("00000000-0000-0000-0000-000000000000") && strings.Contains(before, id) {
			failure.Before = append(failure.Before, before)
		}
	}
	if n := len(failure.Before); n > 10 {
		failure.Before = failure.Before[n-10:]
	}
	f.report.Failures = append(f.report.Failures, failure)
}
