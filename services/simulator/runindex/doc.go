// Package runindex keeps an index of runs in PostgreSQL: which scenario and
// seed, by which rules, and how they ended. It is made from the logs alone, and
// nothing depends on it.
package runindex
