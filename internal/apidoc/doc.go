// Package apidoc holds the documents in api/, with manifest.json, to rules that
// no generator can check. Of all of them: how exact a schema is, that operations
// are described, and that every example fits. Of the platform's too: how many
// operations there are and whose, and how commands, lists and errors look. It
// also proves, on copies of both, that the generator refuses what must not
// happen to them. It is tests alone.
package apidoc
