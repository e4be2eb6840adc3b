// Package ir is what resolve decides and emit prints: plain values, with every
// name, order and type settled. Nothing in it refers back to a document or to
// the manifest.
package ir

import "github.com/pharos-mcp/pharos/generators/internal/spec"

// Catalog is one MCP surface.
type Catalog struct {
	Name       string // as in the manifest; also the name of its Go package and folder
	Binding    string // "http" or "handler"
	Input      string // "grouped" or "top"
	Result     string // "envelope" or "bare"
	RPC        bool   // a catalog that asks the service's RPC is generated too
	Module     string // path of the module that holds generated/
	Sources    []string
	Limits     Limits
	Documents  []*Document  // by name
	Operations []*Operation // by tool name; rpc-only ones included, marked
	Excluded   []Excluded   // by document, then key
}

// Limits are byte bounds; zero leaves a bound to the run time's default or,
// for schemas, unchecked.
type Limits struct {
	Arguments      int
	Reply          int
	ToolSchema     int
	CatalogSchemas int
}

// Document is one upstream API: one client package.
type Document struct {
	Name    string
	Package string // Go package of its models and client, NAME + "api"
	Bundle  []byte // the normalised document as indented JSON
	Server  bool   // server interfaces are generated too

	Schemes  []Scheme
	Security [][]string
}

// Scheme is a security scheme of a document.
type Scheme struct {
	Name   string
	In     string
	Key    string
	Prefix string
}

// Operation is one tool.
type Operation struct {
	Tool        string
	Was         []string
	GoName      string // exported, unique in its document's client package
	ID          string // operation_id of results (E-14)
	Document    string
	Key         string // "POST /support/tickets"
	Method      string
	Path        string
	Query       string
	Pos         spec.Pos
	Title       string
	Description string
	Scope       string
	Effect      string // "read", "write" or "delete"
	Reason      string
	Deprecated  bool
	RPCOnly     bool // a method of the handler, but no tool

	Parameters []Parameter
	Body       *Body
	Replies    []Reply
	Security   [][]string // nil: the document's own; empty: none
	Raw        bool       // the handler's result is stored bytes
	Image      bool       // the handler's result is an image

	Input  *spec.Node // JSON Schema of the arguments, self-contained
	Output *spec.Node // JSON Schema of the result, self-contained
}

// Parameter is one parameter of an operation.
type Parameter struct {
	Name          string // on the wire
	Key           string // in the arguments; differs from Name where the manifest has an alias
	GoName        string // exported, unique in its group
	GoType        string // as the generated client declares it, without pointer
	In            string
	Style         string
	Explode       bool
	AllowReserved bool
	AllowSlash    bool
	JSON          bool // serialised as JSON text
	Required      bool
	Injected      bool
	Dropped       bool // the manifest drops it: never advertised, never sent
	Description   string
	Schema        *spec.Node
}

// Body is the request body of an operation.
type Body struct {
	MediaType string
	Required  bool
	// Form is how the arguments become bytes: "json", "form", "multipart",
	// "text" or "binary".
	Form     string
	Encoding []Encoding
	GoType   string // type in the client package, or "" for raw (body: raw, or free-form)
	Free     bool   // the schema itself is free-form
	Raw      bool   // the manifest says body: raw: no type is generated
	Schema   *spec.Node
}

// Encoding is how one member of a form or multipart body is written.
type Encoding struct {
	Member        string
	ContentType   string
	Style         string
	Explode       bool
	AllowReserved bool
}

// Reply is what a tool makes of one status.
type Reply struct {
	Status    string // "200", "2XX", "default"
	MediaType string // preferred media type; "" if the reply has no body
	Def       string // name of the $def in Output that describes the JSON body; "" if it is not JSON
	GoType    string // type in the client package, "" if none
	Outcome   bool
	Schema    *spec.Node // of the body, as normalised; nil if there is none
	Headers   []Header   // by name; servers set them, tools do not read them
}

// Header is a header of a reply.
type Header struct {
	Name     string
	Required bool
	Schema   *spec.Node
}

// Excluded is an operation that is no tool, for the reviewer's table.
type Excluded struct {
	Document string
	Key      string
	Reason   string
}

// Idempotent reports whether repeating the operation changes nothing more: a
// read, a PUT or a DELETE.
func (o *Operation) Idempotent() bool {
	return o.Effect == "read" || o.Method == "PUT" || o.Method == "DELETE"
}
