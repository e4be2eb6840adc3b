package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// maxPolicy bounds the file of a policy: its characters, each of four bytes.
const maxPolicy = 400_000

// publishPolicy is `pharos platform aup publish`.
func publishPolicy(args []string, _ io.Reader) (func(context.Context, *administration) error, error) {
	flags := newFlags("aup publish")
	title := flags.String("title", "Acceptable use policy", "")
	effective := flags.String("effective", "", "")
	if err := parseFlags(flags, args, administerUsage); err != nil {
		return nil, err
	}
	if err := operands("aup publish", flags.Args(), "FILE"); err != nil {
		return nil, err
	}
	at := time.Now()
	if *effective != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, *effective); err != nil {
			return nil, usageError("-effective is a time like 2027-01-31T00:00:00Z")
		}
	}
	text, err := readPolicy(flags.Arg(0))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, a *administration) error {
		p, err := a.parties.Publish(ctx, *title, text, at)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.stdout, "version %d takes effect at %s\n", p.Version, p.EffectiveAt.Format(time.RFC3339))
		return err
	}, nil
}

func readPolicy(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPolicy+1))
	if err == nil && len(text) > maxPolicy {
		err = fmt.Errorf("%s: it is longer than a policy may be", file)
	}
	return string(text), err
}
