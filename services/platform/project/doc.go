// Package project owns projects, their members and what their runs used.
//
// Tables: project, member, project_usage. Invariants:
//   - a project has an owner from its creation, by the party that created it,
//     until it is deleted;
//   - every applied command on a project, the changes of its members included,
//     raises its revision by one, and no other revision; who may do what is
//     looked up at each call, so nobody's credentials change with a role;
//   - an archived project takes no command but restoring and deleting;
//   - a project is deleted only when it is archived and none of its runs is
//     queued or running. It keeps its row and its usage, loses all its members,
//     and its identifier is never given again;
//   - a slug is unique among the projects that one party created and did not
//     delete: it says nothing about those of others, and stays as it was
//     chosen.
//
// Commands that change a project lock its row; those inside it share it
// (Enter). Its usage is the last row that a transaction locks.
package project
