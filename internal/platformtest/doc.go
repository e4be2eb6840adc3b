// Package platformtest holds the tests of the platform as it is operated:
// processes of the program over one PostgreSQL. They are killed at the worst
// moments, lose their database, and take over each other's work, while clients
// repeat what was not answered. What was acknowledged must be there, once.
package platformtest
