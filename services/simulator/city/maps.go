package city

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"sync"
)

//go:generate go run ./generate/write maps

// files are the maps and SHA256SUMS, which names each with its digest.
//
//go:embed maps
var files embed.FS

// ids are the maps that there are, in the order of the catalogue.
var ids = []string{"londone", "portside", "oldtown"}

// IDs are the maps that there are.
func IDs() []string { return append([]string(nil), ids...) }

// loaded are the maps and their digests, read once.
var loaded = sync.OnceValue(func() map[string]known {
	all := map[string]known{}
	for _, id := range ids {
		data, err := files.ReadFile("maps/" + id + ".json")
		if err != nil {
			panic(err) // the build has them
		}
		m, err := Read(data)
		if err != nil {
			panic(fmt.Sprintf("city: map %s: %v", id, err))
		}
		sum := sha256.Sum256(data)
		all[id] = known{m, hex.EncodeToString(sum[:])}
	}
	return all
})

type known struct {
	city *Map
	sum  string
}

// Load gives a map. It is shared and must not be changed.
func Load(id string) (*Map, bool) {
	k, ok := loaded()[id]
	return k.city, ok
}

// SHA256 is the digest of a map's file, in hexadecimal, or "" where there is no
// such map.
func SHA256(id string) string { return loaded()[id].sum }
