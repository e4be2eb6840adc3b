// Package apidoc holds the platform's own API, api/platform with manifest.json,
// to rules that no generator can check: how many operations there are and whose,
// how commands, lists and errors look, how exact a schema is, and that every
// example fits. It also proves, on copies of both, that the generator refuses
// what must not happen to them. It is tests alone.
package apidoc
