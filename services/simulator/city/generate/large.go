package generate

import "github.com/pharos-mcp/pharos/services/simulator/city"

// Large makes a map that is none of the game's, like londone and with about
// three times its buildings, to measure with.
func Large() (*city.Map, error) {
	p := plans["londone"]
	p.columns, p.rows, p.closed = 12, 10, 30
	b := newBuilder("large", p)
	b.streets()
	b.close()
	b.houses()
	b.stations()
	return b.city, b.city.Complete()
}
