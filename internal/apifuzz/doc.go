// Package apifuzz tries an HTTP API against its own description.
//
// It reads OpenAPI 3.1 documents as they are written, sends requests that
// their schemas allow and requests that they do not, and holds every reply
// against them. It shares nothing with the server that it tries: neither the
// generated code nor the checks in front of it. What it learns from replies
// (identifiers, revisions, cursors) it uses in later requests, so that most of
// them are about things that exist.
//
// A run is drawn from its seed; a failure is shrunk to the least request that
// still fails.
package apifuzz
