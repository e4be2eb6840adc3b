package asset

import (
	"errors"
	"io/fs"
	"os"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The codes of faults beyond those of package schem, which are about content.
const (
	Exists           fault.Code = "asset_exists"      // the name is taken, in some letter case
	NotFound         fault.Code = "asset_not_found"   // no file has this id
	Invalid          fault.Code = "asset_invalid"     // a file that is none, or that cannot be read
	TooMany          fault.Code = "budget_exceeded"   // more files or blocks than allowed
	OutOfBounds      fault.Code = "out_of_bounds"     // the box leaves the area
	UnsupportedBlock fault.Code = "unsupported_block" // something in the box that a plan could not place
)

// reason is what the system says is wrong, without the paths.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// unlisted is a folder that is gone, is no folder or cannot be read: nothing that
// a caller did.
func unlisted(err error) error {
	return fault.Newf(fault.Unavailable, "the folder of the schematics cannot be read: %v; put it back, then try again", reason(err))
}
