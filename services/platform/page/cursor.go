package page

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// MaxCursor is the longest cursor, in characters.
const MaxCursor = 200

// MaxName is the longest name that fits into a cursor, in bytes.
const MaxName = MaxCursor*3/4 - fixed

// fixed is the part of a cursor that is always there: the kind, the time in
// microseconds, the identifier and the number. The name follows.
const fixed = len(digest{}) + 8 + 16 + 8

// digest stands for a kind.
type digest [8]byte

func digestOf(kind string) digest {
	sum := sha256.Sum256([]byte(kind))
	return digest(sum[:])
}

// encode writes a cursor; a name that does not fit is a mistake of the list.
func encode(kind digest, key Key) string {
	if len(key.Name) > MaxName {
		panic("page: the name of a row is too long for a cursor")
	}
	b := make([]byte, 0, fixed+len(key.Name))
	b = append(b, kind[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(key.Time.UnixMicro()))
	b = append(b, key.ID[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(key.Number))
	b = append(b, key.Name...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// decode reads a cursor. What it gives is fit for a query, whoever wrote it.
func decode(cursor string) (Key, digest, error) {
	wrong := fault.New(fault.Invalid, "cursor is not the next_cursor of a page")
	if len(cursor) > MaxCursor {
		return Key{}, digest{}, wrong
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) < fixed {
		return Key{}, digest{}, wrong
	}
	kind, rest := digest(b), b[len(digest{}):]
	key := Key{
		Time:   time.UnixMicro(int64(binary.BigEndian.Uint64(rest))).UTC(),
		ID:     uuid.UUID(rest[8:24]),
		Number: int64(binary.BigEndian.Uint64(rest[24:])),
		Name:   string(rest[32:]),
	}
	if key.Time.Year() < 1 || key.Time.After(last.Time) || key.Number < 0 || !plain(key.Name) {
		return Key{}, digest{}, wrong
	}
	return key, kind, nil
}

// plain reports whether a text can be one of the database's.
func plain(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }
