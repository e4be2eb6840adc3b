package asset

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// Read reads the schematic of an asset.
func (f *Folder) Read(id string, o schem.Options) (*schem.Schematic, Asset, error) {
	if !ValidID(id) {
		return nil, Asset{}, fault.New(fault.Invalid,
			"an asset_id is a letter or digit and up to 63 letters, digits, underscores and hyphens")
	}
	data, err := disk.ReadFile(f.files, f.file(id), schem.MaxPacked)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Asset{}, fault.Newf(NotFound, "there is no schematic %s; asset_list names those that there are", id)
	case errors.Is(err, disk.ErrNotRegular):
		return nil, Asset{}, fault.Newf(Invalid, "%s%s is a link, a folder or another thing that is no regular file", id, suffix)
	case errors.Is(err, disk.ErrTooLarge):
		return nil, Asset{}, fault.Newf(schem.TooLarge, "%s%s: file over 1 MiB", id, suffix)
	case err != nil:
		return nil, Asset{}, fault.Newf(Invalid, "%s%s cannot be read: %v", id, suffix, reason(err))
	}
	s, err := schem.Decode(data, f.pack, o)
	if err != nil {
		refused := fault.From(err)
		return nil, Asset{}, fault.Newf(refused.Code, "%s%s: %s", id, suffix, refused.Message)
	}
	return s, describe(id, data, s), nil
}

// List tells of all schematics, or of those that have the query in their name or
// id, whatever the letter case, by id. All of them are read either way, and one
// that is wrong is the error: a list never leaves one out.
func (f *Folder) List(ctx context.Context, query string, o schem.Options) ([]Asset, error) {
	found, err := f.ids()
	if err != nil {
		return nil, err
	}
	if len(found) > MaxFiles {
		return nil, fault.Newf(TooMany, "there are %d schematics, at most %d may be: %s%s is too many",
			len(found), MaxFiles, found[MaxFiles], suffix)
	}
	assets, query := []Asset{}, strings.ToLower(query)
	for _, id := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, a, err := f.Read(id, o)
		if fault.CodeOf(err) == NotFound {
			continue // somebody has just taken it away
		}
		if err != nil {
			return nil, err
		}
		if strings.Contains(strings.ToLower(a.Name), query) || strings.Contains(strings.ToLower(id), query) {
			assets = append(assets, a)
		}
	}
	return assets, nil
}

// ids are those of all assets, sorted.
func (f *Folder) ids() ([]string, error) {
	entries, err := f.files.ReadDir(f.name)
	if err != nil {
		return nil, unlisted(err)
	}
	var found []string
	for _, e := range entries {
		if id := idOf(e.Name()); id != "" {
			found = append(found, id)
		}
	}
	return found, nil
}
