package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// suffix ends the names of the files.
const suffix = ".schem"

// maxID is how many characters an id has at most.
const maxID = 64

var ids = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// ValidID reports whether the text may be the id of an asset.
func ValidID(id string) bool { return ids.MatchString(id) }

// idOf is the id of a file, "" of one that is no asset.
func idOf(file string) string {
	id, ok := strings.CutSuffix(file, suffix)
	if !ok || !ValidID(id) {
		return ""
	}
	return id
}

// IDFor is the id that a name of 1 to 64 printable characters gets. It has small
// letters, and hyphens for spaces. Where that loses anything but letter case, a
// part of the name's hash follows, so that other names have other ids.
func IDFor(name string) (string, error) {
	if !schem.ValidName(name) {
		return "", fault.Newf(fault.Invalid, "a name has 1 to %d printable characters", schem.MaxName)
	}
	lost := false
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == ' ':
			return '-'
		}
		lost = true
		return '-'
	}, name)
	if !lost && ValidID(id) {
		return id, nil
	}
	hash := sha256.Sum256([]byte(name))
	tail := hex.EncodeToString(hash[:4])
	id = strings.Trim(id, "-_")
	if id = strings.TrimRight(id[:min(len(id), maxID-1-len(tail))], "-_"); id == "" {
		id = "schematic"
	}
	return id + "-" + tail, nil
}
