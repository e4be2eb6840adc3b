// Package platform is the platform's API: parties, projects, support, SSH keys,
// pipelines, runs and queues, with the ordinary login. Each owner is a package
// of its own below this one, which puts them together and in front of them what
// is the same for all.
//
// A request comes through, in this order: the event that is logged about it and
// its id, the bounds of httpguard, who sends it (access.Gate), the generated
// router and decoder, what they may do (access.Middleware), whether it is as
// the document says (apicheck), its owner. Every refusal is a problem document.
//
// What /internal/ holds is served by PrivateHandler and nothing else is; the
// public Handler does not have it. There, access.PrivateGate asks for the
// broker's login assertion where identities are told.
//
// Several instances may run on one database. Nothing is kept in the process
// that another would need.
package platform
