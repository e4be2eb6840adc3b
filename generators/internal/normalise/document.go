// Package normalise turns the files of one document, of any supported version
// and in any layout, into one Document with one meaning: a single dialect of
// JSON Schema (2020-12), one way to reference, parameters folded and defaults
// filled in. Everything later reads that and never asks which version or which
// file it came from, except for the places it reports.
package normalise

import "github.com/pharos-mcp/pharos/generators/internal/spec"

// Document is one assembled specification with all its operations.
type Document struct {
	Name    string   // as the manifest calls it
	Files   []string // every file read, sorted, slash-separated, relative to the root
	Title   string   // info.title
	Version string   // info.version

	// Schemas are the shared schemas: every target of a reference, under a
	// unique name that matches ^[A-Za-z_][A-Za-z0-9_]*$, in JSON Schema 2020-12.
	// References between them are written {"$ref": "#/components/schemas/NAME"}.
	// Schemas are objects; true and false are spelt {} and {"not": {}}, except
	// under additionalProperties, unevaluatedProperties and unevaluatedItems.
	// Nodes are shared between operations: never change one.
	Schemas map[string]*spec.Node

	Operations []*Operation // ordered by path, then method

	Schemes  []Scheme   // security schemes, by name
	Security [][]string // alternatives of scheme names; operations without their own use it
}

// Scheme is a security scheme: where its credential travels.
type Scheme struct {
	Name   string
	In     string // "header", "query", "cookie"; "" where it is none of these (mutual TLS)
	Key    string // name of the header, query parameter or cookie
	Prefix string // "Bearer ", "Basic " or ""
}

// Operation is one method of one path, self-contained but for references to
// Document.Schemas.
type Operation struct {
	Key      string // "GET /x/{id}", as the document writes it
	Method   string // upper case
	Path     string // the template, percent-encoded, without a query or fragment; {NAME} is a Parameter's name
	Query    string // fixed query that the path key carried, percent-encoded
	ID       string // operationId as written, "" where there is none
	UniqueID bool   // ID is non-empty and no other operation has it
	Pos      spec.Pos

	Summary     string
	Description string
	Tags        []string
	Deprecated  bool
	Owner       string     // x-owner
	Operator    bool       // x-operator
	Security    [][]string // nil: the document's; empty: none
	Raw         bool       // x-raw: a handler returns the reply as stored bytes

	Parameters []*Parameter // path, query, header, cookie; by name within each
	Body       *Body        // nil if there is none
	Responses  []*Response  // by status; "default" last

	// Unsupported says why no tool can carry the operation, after the place of
	// the reason as "file:line:col: "; "" if one can.
	Unsupported string
}

// Parameter is one parameter with its serialisation spelt out.
type Parameter struct {
	Name          string
	In            string // "path", "query", "header", "cookie"
	Style         string // "simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"
	Explode       bool
	AllowReserved bool
	Required      bool
	Deprecated    bool
	Injected      bool   // x-injected: the mount supplies it, never the caller
	MediaType     string // set when the parameter is described by content: the value is JSON text
	Description   string
	Schema        *spec.Node // never nil
	Pos           spec.Pos
}

// Body is a request body.
type Body struct {
	Required    bool
	Description string
	Contents    []Content // preferred first: JSON, +json, form, multipart, text, others
	Pos         spec.Pos
}

// Response is what the document says of one status.
type Response struct {
	Status      string // "200", "2XX" or "default"
	Description string
	Contents    []Content // preferred first; empty if the reply has no body
	Headers     []*Header // by name; never Content-Type
	// Outcome marks a schema whose component carries x-outcome: a recorded
	// command outcome that stays a result at any status (E-16).
	Outcome bool
	Pos     spec.Pos
}

// Header is a header of a response. Its value is written in style simple.
type Header struct {
	Name        string
	Required    bool
	Description string
	Schema      *spec.Node // never nil
	Pos         spec.Pos
}

// Content is one media type of a body or response.
type Content struct {
	MediaType string // exactly as written
	Schema    *spec.Node
	Encoding  map[string]Encoding // of form and multipart members
}

// Encoding says how one member of a form or multipart body is written.
type Encoding struct {
	ContentType   string
	Style         string
	Explode       bool
	AllowReserved bool
}
