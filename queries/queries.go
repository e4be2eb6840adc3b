// Package queries carries the migrations, one folder an owner. The named
// queries beside them are sqlc's input and not part of a program.
//
// Migrations only go forward, and a file stays as it is once it has landed.
// Their numbers have five digits: sqlc reads them by name, goose by number.
package queries

//go:generate ../.ci/queries write

import "embed"

// Migrations holds <owner>/migrations/<number>_<concept>.sql.
//
//go:embed */migrations/*.sql
var Migrations embed.FS
