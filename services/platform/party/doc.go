// Package party owns the people of the platform: who they are, how far their
// setup has come, which policy binds them, and who is an operator.
//
// A person is known by identities, exact triples that somebody vouches for; the
// platform vouches for those with a password of its own. Registration gives an
// identity its Party. A Party may do business once no password of somebody
// else's choice is in use (setup), and while it is bound to the newest
// acceptable use policy in effect, through an identity that is still its own.
//
// Invariants:
//   - an identity belongs to one Party at most, and nothing but a registration
//     or an administrator gives it one: resolving an identity creates nothing;
//   - a Party's auth_version rises with every change of its authority, in the
//     transaction of the change, which voids its sessions, tokens and grants;
//     what only completes a setup does not raise it;
//   - versions of the policy are numbered as they take effect, and never change.
//
// Tables: party, identity, aup_version, aup_acceptance and operator; of those
// of package access it writes the passwords that an administrator sets.
// Transactions lock identity, party, credential and session in this order.
package party
