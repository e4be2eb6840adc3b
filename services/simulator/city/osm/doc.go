// Package osm makes a map of the game of a piece of OpenStreetMap, as its XML.
//
// Of the data it takes ways that cars drive on and closed ways that are
// buildings. The game wants one connected net of straight roads, convex houses
// that do not overlap, and none far from a road, so much is left out; the
// Report says how much of what. Whoever publishes such a map must keep to the
// licence of OpenStreetMap's data.
package osm
