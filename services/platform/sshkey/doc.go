// Package sshkey owns the SSH public keys of parties.
package sshkey
