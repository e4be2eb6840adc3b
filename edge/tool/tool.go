// Package tool is the run-time half of generated code: what is the same for
// every operation of every catalog, written once.
//
// A generated package declares its operations, their inputs and a closed
// dispatcher; the functions here decode the arguments, build the one request
// an operation may send, send it once and return what came back. Arguments
// have passed their schema before they come here, and replies are judged
// after: package edge does both.
//
// The package uses the standard library only.
package tool

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
)

// Generated1 ties generated code to this package: if it does not compile, the
// generated code comes from another version of mcpgen. Run `make generate`, or
// `go generate ./...` in your own module.
const Generated1 = true

// Effect is what an operation does to the upstream, as reviewed in the
// manifest (E-03).
type Effect string

// The effects of operations.
const (
	Read   Effect = "read"
	Write  Effect = "write"
	Delete Effect = "delete"
)

// Operation is one tool of a catalog.
type Operation struct {
	Tool     string // name of the tool, ^[a-z][a-z0-9_]{0,63}$
	ID       string // operation_id in results (E-14)
	Document string // which upstream it belongs to
	Scope    string // <owner>:read, :write or :admin
	Effect   Effect
	// Idempotent says that repeating the call changes nothing more: a read, a
	// PUT or a DELETE.
	Idempotent bool
	RPCOnly    bool // a method of the service's RPC, but no tool
	Replies    []Reply
	// Security lists the alternatives of security schemes that the operation
	// asks for; nil means its document's own list, empty none.
	Security [][]string
}

// Document is one upstream API.
type Document struct {
	Name     string
	Schemes  []Scheme   // by name
	Security [][]string // alternatives for operations that do not say their own
}

// Scheme is one security scheme of a document: where its credential goes.
type Scheme struct {
	Name string // as the document calls it
	In   string // "header", "query" or "cookie"
	Key  string // name of the header, query parameter or cookie
	// Prefix stands before the credential: "Bearer ", "Basic " or "".
	Prefix string
}

// Reply is what an operation declares for one status.
type Reply struct {
	Status    string // "200", "2XX" or "default"
	MediaType string // preferred media type; "" for no body
	Schema    string // name of the $def in the tool's output schema; "" if the body is not JSON
	Outcome   bool   // a recorded outcome, a result at any status (E-16)
}

// Limits bound one call in bytes; zero means the default.
type Limits struct {
	Arguments int // default 64 KiB (E-13)
	Reply     int // default 1 MiB (E-13)
}

// The default limits (E-13).
const (
	DefaultArguments = 64 << 10
	DefaultReply     = 1 << 20
)

// Catalog is a closed set of tools: what a generated package's Catalog
// function returns.
type Catalog struct {
	Name       string
	Documents  []Document  // upstreams that must be configured, by name; empty for handler catalogs
	Operations []Operation // by tool name
	// Bare results are the operation's own value; otherwise a result is the
	// envelope of E-14.
	Bare bool
	// Schemas holds schemas/<tool>.json for every operation: the tool's name,
	// title, description, annotations, inputSchema and outputSchema.
	Schemas fs.FS
	Limits  Limits
	// Dispatch performs one operation. Arguments are a JSON object that has
	// passed the operation's input schema. The set is closed: an operation of
	// another catalog is refused with ErrUnknown.
	Dispatch func(ctx context.Context, x Exchange, op *Operation, arguments []byte) (Result, error)
}

// Exchange sends the requests of a catalog to its upstreams. Handler catalogs
// do not use it.
type Exchange interface {
	// Base returns the configured base URL of a document: scheme, host and
	// base path, without a trailing slash (E-54).
	Base(document string) string
	// Send sends the request once, with the gateway's own authority, and reads
	// the whole reply within its bounds (E-13, E-18). Its error says how far
	// the request came: see SendError.
	Send(ctx context.Context, op *Operation, request *http.Request) (Result, error)
}

// Result is what a dispatched operation gave.
type Result struct {
	Status    int    // HTTP status; 0 from a handler
	MediaType string // Content-Type of Body; "application/json" from a handler
	Body      []byte
	// RetryAfter is the upstream's Retry-After header, or "".
	RetryAfter string
	// Image is set when a handler returned a picture: MediaType and Body are it.
	Image bool
}

// ErrUnknown is what a dispatcher answers to an operation that is not its own.
var ErrUnknown = errors.New("operation is not in this catalog")
