// Package arch holds the import policy of this module as a test.
//
// The world is closed: a package that the table does not list fails, and so
// does an import, of a package of this module or of another module, that the
// table does not give to the package. Test files may use a little more. What
// ends up in the two programs is followed from their mains: nothing made for
// tests, and nothing of the generator in what serves. Statements of SQL stand in
// queries/ alone.
package arch
