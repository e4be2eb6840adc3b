// Package account owns who uses play: accounts and their passwords, login
// sessions of browsers, and personal tokens of authors.
//
// Tables: account, login, login_attempt, author_token.
//
// Invariants:
//   - Of a secret only its SHA-256 is kept, of a password an argon2id hash.
//   - Every write about one account locks its row first. A session begins only
//     for the password and the standing that the row has at that moment, so that
//     one which is deactivated or given another password keeps no session.
//   - What fails to log in is told the same whether the username, the password
//     or the standing is wrong, after the same work.
//   - An account that is not active has no session and no author token, and what
//     it leads and plays has no play token: deactivating it deletes them all, and
//     none is made meanwhile. Looking one up asks for the standing all the same.
package account
