package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/pharos-mcp/pharos/edge/token"
)

const keygenUsage = `usage: pharos keygen -private FILE -public FILE

Makes a signing key: the private file for the broker or the gateway that signs
with it, the public one to enrol where its signatures are checked. A broker and
a gateway each need one of their own. Neither file may be there already.

To rotate a key, make another one, put both public keys into the enrolled files,
change the signer, and take the old key out when its last token has expired:
600 seconds for a broker's, 30 for a gateway's.
`

// keygen makes a key and writes its two files.
func keygen(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("keygen", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	private, public := flags.String("private", "", ""), flags.String("public", "", "")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return helpError(keygenUsage)
		}
		return usageError(err.Error())
	}
	if *private == "" || *public == "" || flags.NArg() > 0 || *private == *public {
		return usageError("keygen needs -private FILE and -public FILE")
	}
	secret, enrolment, err := token.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	if err := writeOnce(*private, string(secret)); err != nil {
		return notThere(*private, err)
	}
	if err := writeOnce(*public, string(enrolment)); err != nil {
		return errors.Join(notThere(*public, err), os.Remove(*private)) // half a key is none
	}
	_, err = fmt.Fprintf(stdout, "private key: %s\npublic key, to be enrolled: %s\n", *private, *public)
	return err
}

func notThere(file string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; a key is never written over", file)
	}
	return err
}
