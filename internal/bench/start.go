package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// beginning is what it took to make an edge, or to scan its schemas.
type beginning struct {
	Took, CPU time.Duration
	Resident  int64
}

// start makes an edge with a catalog, or reads and scans the same schemas, and
// says what that took, from the moment the program and its catalog are there.
func (o role) start(stdout io.Writer) error {
	c, err := o.catalog()
	if err != nil {
		return err
	}
	before, began := now(), time.Now()
	if o.Kind == kindScan {
		err = scan(c)
	} else {
		_, err = edge.New(o.config(c), c, edge.Options{})
	}
	if err != nil {
		return err
	}
	took, after := time.Since(began), now()
	return json.NewEncoder(stdout).Encode(beginning{took, after.CPU - before.CPU, after.Resident})
}

// scan reads the schemas of a catalog and looks at each byte once.
func scan(c tool.Catalog) error {
	for _, op := range c.Operations {
		data, err := fs.ReadFile(c.Schemas, "schemas/"+op.Tool+".json")
		if err != nil {
			return err
		}
		if !json.Valid(data) {
			return fmt.Errorf("schemas/%s.json is not JSON", op.Tool)
		}
	}
	return nil
}
