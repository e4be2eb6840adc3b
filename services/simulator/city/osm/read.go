package osm

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The bounds of what is read.
const (
	MaxBytes = 64 << 20
	maxNodes = 500_000
	maxWays  = 100_000
	maxRefs  = 2000 // of one way, as OpenStreetMap has it
)

// degrees is a place on earth.
type degrees struct{ lat, lon float64 }

// way is a line or an outline.
type way struct {
	refs []int64
	tags map[string]string
}

// data is what was read.
type data struct {
	places    map[int64]degrees
	stations  []int64 // nodes that are fire stations
	ways      []way
	relations int // buildings that are relations
}

// element is one of the three kinds of OpenStreetMap.
type element struct {
	ID   int64  `xml:"id,attr"`
	Lat  string `xml:"lat,attr"`
	Lon  string `xml:"lon,attr"`
	Refs []struct {
		Ref int64 `xml:"ref,attr"`
	} `xml:"nd"`
	Tags []struct {
		K string `xml:"k,attr"`
		V string `xml:"v,attr"`
	} `xml:"tag"`
}

func (e *element) tags() map[string]string {
	all := make(map[string]string, len(e.Tags))
	for _, t := range e.Tags {
		all[t.K] = t.V
	}
	return all
}

// read reads OpenStreetMap XML.
func read(r io.Reader) (*data, error) {
	bounded := &io.LimitedReader{R: r, N: MaxBytes + 1}
	d := &data{places: map[int64]degrees{}}
	decoder := xml.NewDecoder(bounded)
	root := false
	for {
		token, err := decoder.Token()
		if bounded.N <= 0 {
			return nil, fmt.Errorf("the file has more than %d bytes", MaxBytes)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !root {
			if start.Name.Local != "osm" {
				return nil, fmt.Errorf("it begins with <%s>, and not with <osm>", start.Name.Local)
			}
			root = true
			continue
		}
		if err := d.take(decoder, start); err != nil {
			line, _ := decoder.InputPos()
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if !root {
		return nil, errors.New("it is no OpenStreetMap XML")
	}
	return d, nil
}

// take takes in one element below the root.
func (d *data) take(decoder *xml.Decoder, start xml.StartElement) error {
	kind := start.Name.Local
	if kind != "node" && kind != "way" && kind != "relation" {
		return decoder.Skip()
	}
	var e element
	if err := decoder.DecodeElement(&e, &start); err != nil {
		return err
	}
	switch kind {
	case "node":
		return d.takeNode(&e)
	case "way":
		if len(d.ways) == maxWays {
			return fmt.Errorf("there are more than %d ways", maxWays)
		}
		if len(e.Refs) > maxRefs {
			return fmt.Errorf("way %d has more than %d nodes", e.ID, maxRefs)
		}
		w := way{tags: e.tags()}
		for _, r := range e.Refs {
			w.refs = append(w.refs, r.Ref)
		}
		d.ways = append(d.ways, w)
	default:
		if isBuilding(e.tags()) {
			d.relations++
		}
	}
	return nil
}

func (d *data) takeNode(e *element) error {
	if len(d.places) == maxNodes {
		return fmt.Errorf("there are more than %d nodes", maxNodes)
	}
	lat, badLat := strconv.ParseFloat(e.Lat, 64)
	lon, badLon := strconv.ParseFloat(e.Lon, 64)
	if badLat != nil || badLon != nil || !(lat >= -85 && lat <= 85) || !(lon >= -180 && lon <= 180) {
		return fmt.Errorf("node %d is nowhere: lat %q, lon %q", e.ID, e.Lat, e.Lon)
	}
	d.places[e.ID] = degrees{lat, lon}
	if e.tags()["amenity"] == "fire_station" {
		d.stations = append(d.stations, e.ID)
	}
	return nil
}

// isBuilding reports whether tags are those of one.
func isBuilding(tags map[string]string) bool {
	b := tags["building"]
	return b != "" && b != "no"
}

// driven are the kinds of roads that fire engines take.
var driven = map[string]bool{
	"motorway": true, "trunk": true, "primary": true, "secondary": true, "tertiary": true, "unclassified": true,
	"residential": true, "living_street": true, "service": true, "pedestrian": true, "road": true,
	"motorway_link": true, "trunk_link": true, "primary_link": true, "secondary_link": true, "tertiary_link": true,
}
