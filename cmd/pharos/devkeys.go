package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pharos-mcp/pharos/edge/token"
)

// signingKeys are the files of the broker's and the gateway's keys.
type signingKeys struct {
	broker, brokerPublic   string
	gateway, gatewayPublic string
}

// developmentKeys are in a folder, and made where they are not there yet.
// Several processes may do so at the same time.
func developmentKeys(folder string) (keys signingKeys, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return keys, err
	}
	if keys.broker, keys.brokerPublic, err = developmentKey(folder, "broker"); err != nil {
		return keys, err
	}
	keys.gateway, keys.gatewayPublic, err = developmentKey(folder, "gateway")
	return keys, err
}

// haveDevelopmentKeys reports whether nothing has to be made in a folder.
func haveDevelopmentKeys(folder string) bool {
	for _, name := range []string{"broker.key.json", "broker.keys.json", "gateway.key.json", "gateway.keys.json"} {
		if _, err := os.Stat(filepath.Join(folder, name)); folder == "" || err != nil {
			return false
		}
	}
	return true
}

func developmentKey(folder, name string) (private, public string, err error) {
	private, public = filepath.Join(folder, name+".key.json"), filepath.Join(folder, name+".keys.json")
	signer, err := readSigner(private)
	if errors.Is(err, fs.ErrNotExist) {
		text, _, failed := token.GenerateKey(rand.Reader)
		if failed != nil {
			return "", "", failed
		}
		if failed := writeOnce(private, string(text)); failed != nil && !errors.Is(failed, fs.ErrExist) {
			return "", "", failed
		}
		signer, err = readSigner(private) // that of another process, if it was faster
	}
	if err != nil {
		return "", "", err
	}
	text, err := signer.Keys().JWKS()
	if err != nil {
		return "", "", err
	}
	if err := writeOnce(public, string(text)+"\n"); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", "", err
	}
	return private, public, nil
}

// readSigner reads a private key.
func readSigner(file string) (*token.Signer, error) {
	text, err := readKeyFile(file)
	if err != nil {
		return nil, err
	}
	return token.ParseSigner(text)
}
