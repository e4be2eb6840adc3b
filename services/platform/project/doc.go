// Package project owns projects and who may do what in them.
package project
