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
//
// Tokens of an account that is not active are refused when they are looked up;
// they work again, until they expire, when it is active again.
package account
