#!/bin/sh
# Makes the project "petstore" of a document in the working folder, and goes on
# as its README says: every shell block, without the example of one operation
# and the server itself.
set -e
go run github.com/pharos-mcp/pharos/cmd/mcpgen@latest init --project petstore "$1"
cd petstore
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' README.md | grep -vE "^go run \.|accept 'GET" > steps
sh -ex steps
rm steps
go tool mcpgen check
go build -o server .
