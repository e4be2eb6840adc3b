// Package pipeline owns pipelines: what the projects of the platform can run.
//
// A pipeline belongs to a project and has versions, each a list of typed steps
// with declared parameters. It starts as a draft; publishing makes its newest
// version one that runs may name, and retiring it ends that for all of them.
//
// Tables: pipeline and pipeline_version. Invariants:
//   - a version never changes: another definition is another version, and they
//     are numbered from 1 without gaps;
//   - a run names a version that is published, of a pipeline that was not
//     retired at that moment;
//   - only a draft, of which there are no runs, is deleted;
//   - every applied command raises the revision by one;
//   - the same version and values give the same steps each time (Resolve).
//
// A pipeline's row is locked, after its project is shared, by whatever changes
// it or its versions; what starts a run shares it.
package pipeline
