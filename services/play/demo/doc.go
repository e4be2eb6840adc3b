// Package demo is a short scenario to try play with, in English and Polish, and
// its loader.
//
// The texts stand in content/<language>: scenario.md, assignment.md, one file
// for each node in the folder of its kind, named by the node's identifier, and
// one for each page of the wiki. A file begins with a head of names and values
// between two lines of hyphens; a comment alone on a line, such as <!-- gm -->,
// begins a part of its own.
package demo
