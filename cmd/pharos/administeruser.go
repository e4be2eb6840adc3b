package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

const addUserUsage = `usage: pharos platform user add [FLAGS] USER

Makes a person known under a username, with a password.

  -password FILE     read the password from the file, - for standard input;
                     without it one is made and printed
  -temporary         the password must be replaced at the first login
  -name TEXT         the person's name; the username unless given
  -email ADDRESS     the address; USER@localhost unless given
  -affiliation TEXT  where the person works
  -unregistered      leave name and address to the first login
  -operator          enrol as an operator
  -accept-aup        record that the person has accepted the policy on paper
  -token FILE        write a personal access token with all scopes to a new file
  -token-days N      that lasts so many days; 90 unless given
`

// maxPassword bounds what is read for a password, in bytes.
const maxPassword = 4 << 10

// addUser is `pharos platform user add`.
func addUser(args []string, stdin io.Reader) (func(context.Context, *administration) error, error) {
	flags := newFlags("user add")
	var u party.NewUser
	profile := party.Profile{}
	passwordFile := flags.String("password", "", "")
	flags.BoolVar(&u.Temporary, "temporary", false, "")
	flags.StringVar(&profile.DisplayName, "name", "", "")
	flags.StringVar(&profile.Email, "email", "", "")
	flags.StringVar(&profile.Affiliation, "affiliation", "", "")
	unregistered := flags.Bool("unregistered", false, "")
	flags.BoolVar(&u.Operator, "operator", false, "")
	flags.BoolVar(&u.AcceptPolicy, "accept-aup", false, "")
	tokenFile := flags.String("token", "", "")
	days := flags.Int("token-days", 90, "")
	if err := parseFlags(flags, args, addUserUsage); err != nil {
		return nil, err
	}
	if err := operands("user add", flags.Args(), "USER"); err != nil {
		return nil, err
	}
	u.Username = flags.Arg(0)
	switch {
	case *unregistered && (profile != party.Profile{} || u.Operator || u.AcceptPolicy || *tokenFile != ""):
		return nil, usageError("-unregistered leaves no place for a profile, an operator, a policy or a token")
	case u.Temporary && *tokenFile != "":
		return nil, usageError("-token is of no use with -temporary: until the password is replaced it is refused")
	case *days < 1 || *days > int(access.MaxTokenTime/(24*time.Hour)):
		return nil, usageError("-token-days is from 1 to 366")
	}
	password, err := readPassword(*passwordFile, stdin)
	if err != nil {
		return nil, err
	}
	if u.Password = password; password == "" {
		u.Password = rand.Text()
	}
	if !*unregistered {
		u.Profile = completed(profile, u.Username)
	}
	return func(ctx context.Context, a *administration) error {
		return a.addUser(ctx, u, password == "", *tokenFile, time.Duration(*days)*24*time.Hour)
	}, nil
}

// completed fills in what was not given of a profile.
func completed(p party.Profile, username string) *party.Profile {
	if p.DisplayName == "" {
		p.DisplayName = username
	}
	if p.Email == "" {
		p.Email = username + "@localhost"
	}
	return &p
}

// addUser adds a user and prints what nobody can ask for later.
func (a *administration) addUser(
	ctx context.Context, u party.NewUser, made bool, tokenFile string, lasts time.Duration,
) error {
	var token *os.File
	if tokenFile != "" { // before there is a user without one
		var err error
		if token, err = os.OpenFile(tokenFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return err
		}
	}
	added, err := a.parties.AddUser(ctx, u)
	if err == nil && token != nil {
		err = a.writeToken(ctx, added, token, lasts)
	}
	if err != nil {
		if token != nil {
			err = errors.Join(err, token.Close(), os.Remove(tokenFile))
		}
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "user: %s\n", u.Username)
	if u.Profile != nil && err == nil {
		_, err = fmt.Fprintf(a.stdout, "party: %s\n", added.Party)
	}
	if made && err == nil {
		_, err = fmt.Fprintf(a.stdout, "password: %s\n", u.Password)
	}
	if token != nil && err == nil {
		_, err = fmt.Fprintf(a.stdout, "token: in %s\n", tokenFile)
	}
	return err
}

// writeToken makes a token with all that a user may do.
func (a *administration) writeToken(ctx context.Context, r party.Resolved, to *os.File, lasts time.Duration) error {
	p := access.Principal{Party: r.Party, Operator: r.Operator, AuthVersion: r.AuthVersion}
	_, text, err := a.access.CreateToken(ctx, p, "pharos platform user add", a.access.Scopes(p), time.Now().Add(lasts))
	if err != nil {
		return err
	}
	if _, err := io.WriteString(to, text+"\n"); err != nil {
		return err
	}
	return to.Close()
}

// setPassword is `pharos platform user password`.
func setPassword(args []string, stdin io.Reader) (func(context.Context, *administration) error, error) {
	flags := newFlags("user password")
	file := flags.String("password", "", "")
	if err := parseFlags(flags, args, administerUsage); err != nil {
		return nil, err
	}
	if err := operands("user password", flags.Args(), "USER"); err != nil {
		return nil, err
	}
	given, err := readPassword(*file, stdin)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, a *administration) error {
		password := given
		if password == "" {
			password = rand.Text()
		}
		if err := a.parties.SetPassword(ctx, flags.Arg(0), password); err != nil || given != "" {
			return err
		}
		_, err := fmt.Fprintf(a.stdout, "password: %s\n", password)
		return err
	}, nil
}

// readPassword reads a file of one line, "-" for standard input; "" for no file.
func readPassword(file string, stdin io.Reader) (string, error) {
	if file == "" {
		return "", nil
	}
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPassword+1))
	if err != nil {
		return "", fmt.Errorf("password: %w", err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if password == "" || len(data) > maxPassword || strings.ContainsAny(password, "\r\n") {
		return "", errors.New("the password must be one line")
	}
	return password, nil
}

// changeUser is a command that takes a user from one state to another.
func changeUser(
	change func(*party.Service, context.Context, string) (bool, error), is, already string,
) func([]string, io.Reader) (func(context.Context, *administration) error, error) {
	return func(args []string, _ io.Reader) (func(context.Context, *administration) error, error) {
		flags := newFlags("")
		if err := parseFlags(flags, args, administerUsage); err != nil {
			return nil, err
		}
		if err := operands("this command", flags.Args(), "USER"); err != nil {
			return nil, err
		}
		return func(ctx context.Context, a *administration) error {
			changed, err := change(a.parties, ctx, flags.Arg(0))
			if err != nil {
				return err
			}
			state := is
			if !changed {
				state = already
			}
			_, err = fmt.Fprintf(a.stdout, "%s is %s\n", flags.Arg(0), state)
			return err
		}, nil
	}
}
