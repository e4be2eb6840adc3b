package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/services/platform/access"
)

// delegationConfig says who speaks for people to the platform. Empty stands for
// nobody; of what is given, all is needed.
type delegationConfig struct {
	// Broker asks who an identity is.
	Broker signerConfig `json:"broker,omitzero"`
	// Gateway calls operations in somebody's name. None of its keys may be the
	// broker's.
	Gateway signerConfig `json:"gateway,omitzero"`
}

// signerConfig says whose tokens are believed.
type signerConfig struct {
	// Issuer is the signer's name, as its tokens spell it.
	Issuer string `json:"issuer"`
	// KeysFile holds the signer's public keys, a JWK set. It is read when the
	// program starts; a key is changed by listing two of them for a while.
	KeysFile string `json:"keys_file"`
}

// maxSmallFile bounds a file of keys or of a secret, in bytes.
const maxSmallFile = 16 << 10

// resolve makes the names of files relative to a folder.
func (c *delegationConfig) resolve(folder string) {
	for _, file := range []*string{&c.Broker.KeysFile, &c.Gateway.KeysFile} {
		if *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(folder, *file)
		}
	}
}

// open reads the keys, or tells all that is wrong.
func (c delegationConfig) open() (access.Delegation, error) {
	if c == (delegationConfig{}) {
		return access.Delegation{}, nil
	}
	broker, errBroker := c.Broker.open("broker")
	gateway, errGateway := c.Gateway.open("gateway")
	return access.Delegation{Broker: broker, Gateway: gateway}, errors.Join(errBroker, errGateway)
}

func (c signerConfig) open(name string) (access.Signer, error) {
	var missing error
	if c.Issuer == "" {
		missing = fmt.Errorf("platform.delegation.%s.issuer: is needed", name)
	}
	keys, err := readKeys(c.KeysFile)
	if err != nil {
		err = fmt.Errorf("platform.delegation.%s.keys_file: %w", name, err)
	}
	return access.Signer{Issuer: c.Issuer, Keys: keys}, errors.Join(missing, err)
}

func readKeys(file string) (token.Keys, error) {
	if file == "" {
		return token.Keys{}, errors.New("is needed")
	}
	text, err := readKeyFile(file)
	if err != nil {
		return token.Keys{}, err
	}
	return token.ParseKeys(text)
}

// readKeyFile reads a file of keys.
func readKeyFile(file string) ([]byte, error) {
	if file == "" {
		return nil, errors.New("is needed; make one with pharos keygen")
	}
	return readSmallFile(file)
}

// readSmallFile reads a file of keys or of a secret. One that is no file, as a
// pipe, might never end.
func readSmallFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSmallFile {
		return nil, errors.New("must be a regular file of at most 16 KiB")
	}
	return os.ReadFile(file)
}
