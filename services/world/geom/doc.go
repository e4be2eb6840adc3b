// Package geom is positions, boxes, and recipes: data that says which blocks
// stand where, and never code (W-12). It knows no world.
package geom
