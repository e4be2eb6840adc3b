package main

import (
	"errors"
	"net"
)

// listen opens a listener, on loopback where that is needed. By what address a
// name such as localhost is known on this machine shows only then, so the rule
// that the configuration was held to is for that address too.
func listen(name, address string, loopback bool) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if err := checkAddress(name, l.Addr().String(), loopback); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
