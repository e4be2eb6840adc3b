// Package pipeline owns pipelines: what the projects of the platform can run.
//
// A pipeline belongs to a project. Its definition, a list of typed steps with
// declared parameters, never changes: a new one becomes a new version beside
// the others. A pipeline starts as a draft; publishing makes its newest version
// one that runs may name, and retiring it ends that for all of them. Only a
// draft, of which there are no runs, can be deleted.
//
// Tables: pipeline and pipeline_version. A pipeline's row is locked, after its
// project is shared, by whatever changes it or its versions; what starts a run
// shares it.
//
// What a version's steps say may refer to parameters as ${name}; a run gives
// their values. Resolve is where both meet, and gives the same steps each time.
package pipeline
