// Package key keeps the two keys of a world: that of the administrator and that
// of the agent.
//
// Each is a file with 32 random bytes in base64url, made at the first start and
// readable by its owner alone. A key says who calls, and nothing of what they
// may do: that is for whoever serves them (W-03).
package key

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Holder is whose a key is.
type Holder string

// The holders of keys. Their names are those of the files.
const (
	Admin Holder = "admin"
	Agent Holder = "agent"
)

// size is how many random bytes a key has.
const size = 32

// Keys are the keys of one world.
type Keys struct{ admin, agent [sha256.Size]byte }

// Open reads the keys in a folder, and makes those that are not there, with the
// folder. It refuses a file that others than its owner may read or write, one
// that is no plain file, and two keys that are the same.
func Open(folder string) (*Keys, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	var digests [2][sha256.Size]byte
	for i, holder := range []Holder{Admin, Agent} {
		text, err := readOrMake(filepath.Join(folder, string(holder)))
		if err != nil {
			return nil, err
		}
		digests[i] = sha256.Sum256([]byte(text))
	}
	if digests[0] == digests[1] {
		return nil, fmt.Errorf("the keys in %s are one and the same", folder)
	}
	return &Keys{admin: digests[0], agent: digests[1]}, nil
}

// Holder tells whose key a text is. It takes as long for every text: digests of
// one length are compared, each with both.
func (k *Keys) Holder(text string) (Holder, bool) {
	digest := sha256.Sum256([]byte(text))
	admin := subtle.ConstantTimeCompare(digest[:], k.admin[:])
	agent := subtle.ConstantTimeCompare(digest[:], k.agent[:])
	switch {
	case admin == 1:
		return Admin, true
	case agent == 1:
		return Agent, true
	default:
		return "", false
	}
}

// Own reads the one key of a program in a file, and makes it, with its folder,
// where there is none. It refuses what Open refuses.
func Own(file string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	return readOrMake(file)
}

// readOrMake reads a key, and makes it first where there is no file.
func readOrMake(file string) (string, error) {
	text, err := Read(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	if err := write(file, base64.RawURLEncoding.EncodeToString(random())); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return Read(file) // what another process may have made at the same time
}

func random() []byte {
	b := make([]byte, size)
	_, _ = rand.Read(b) // it never fails
	return b
}

// write makes a file that only its owner reads. It is there with its whole
// content or not at all; one that is there already is fs.ErrExist.
func write(file, text string) error {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = io.WriteString(f, text+"\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), file)
}

// Read reads one key.
func Read(file string) (string, error) {
	f, err := open(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no plain file", file)
	case info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("%s has mode %04o: others may use the key; make it 0600, or remove it and have a new one made",
			file, info.Mode().Perm())
	}
	data, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return "", err
	}
	text := strings.TrimRight(string(data), "\r\n")
	if b, err := base64.RawURLEncoding.Strict().DecodeString(text); err != nil || len(b) != size {
		return "", fmt.Errorf("%s does not hold %d bytes in base64url", file, size)
	}
	return text, nil
}
