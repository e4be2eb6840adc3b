// Package clients turns the decided operations of one document into one Go
// file: models of bodies and replies, typed parameters, a builder for each
// request and, where asked for, server interfaces.
//
// It writes a second, much simpler document for that (OpenAPI 3.0.3: objects,
// arrays, maps, primitive types, references and unions of references, every Go
// name settled) and hands it to oapi-codegen, which this package alone imports.
// The simple document only shapes Go code: what a value may be is the business
// of the tool's JSON Schema, so patterns, bounds, formats, defaults, discriminators
// and all enums but those of a server are left out of it. The bytes on the wire are the validated
// arguments, never a marshalled model.
//
// The same input gives the same bytes: no clock, no version, no path, no
// compiler and no network take part.
package clients
