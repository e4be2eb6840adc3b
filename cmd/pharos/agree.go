package main

import (
	"errors"
	"fmt"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/token"
)

// said is one thing that two parts of a configuration say, by their members.
type said struct{ member, value string }

// trusted is a file of enrolled keys and the signer's own, which must be one of
// them.
type trusted struct{ keys, key said }

// agree reports where parts that are served together contradict each other, or
// where one is not told of another: each may be right alone, and then every
// token would be refused. It is for a completed configuration: what was given
// must agree with what was filled in, too.
func (c config) agree(serves func(string) bool) (err error) {
	known, broker := c.Edge.Authentication.Broker, c.Broker
	from, gateway := c.Platform.Delegation, c.Edge.Upstreams["platform"].Assertion
	brokerKey, gatewayKey := said{"broker.key_file", broker.KeyFile}, said{"edge.upstreams.platform.assertion.key_file", gateway.KeyFile}
	if serves("broker") && serves("edge") {
		err = errors.Join(err,
			same(said{"edge.authentication.broker.issuer", known.Issuer}, said{"broker.issuer", broker.Issuer}),
			same(said{"edge.authentication.broker.resource", known.Resource}, said{"broker.resource", broker.Resource}),
			trusted{said{"edge.authentication.broker.keys_file", known.KeysFile}, brokerKey}.check(),
		)
	}
	if serves("broker") && serves("platform") {
		err = errors.Join(err,
			same(said{"platform.delegation.broker.issuer", from.Broker.Issuer}, said{"broker.issuer", broker.Issuer}),
			trusted{said{"platform.delegation.broker.keys_file", from.Broker.KeysFile}, brokerKey}.check(),
		)
	}
	if serves("broker") && serves("platform") && from == (delegationConfig{}) {
		err = errors.Join(err, errors.New("platform.delegation: is needed, as the broker asks the platform who somebody is"))
	}
	if serves("edge") && gateway == (edge.Assertion{}) && len(c.Edge.Upstreams["platform"].Credentials) == 0 {
		if c.Edge.Authentication.Mode == "oauth" {
			err = errors.Join(err, errors.New("edge.upstreams.platform.assertion: is needed in mode oauth"))
		} else if c.forOthers() {
			err = errors.Join(err, errors.New("edge.upstreams.platform.credentials: are needed, as the platform answers nobody else"))
		}
	}
	if serves("edge") && serves("platform") {
		err = errors.Join(err,
			same(said{"platform.delegation.gateway.issuer", from.Gateway.Issuer},
				said{"edge.upstreams.platform.assertion.issuer", gateway.Issuer}),
			trusted{said{"platform.delegation.gateway.keys_file", from.Gateway.KeysFile}, gatewayKey}.check(),
		)
	}
	return err
}

func same(a, b said) error {
	if a.value == "" || b.value == "" || a.value == b.value {
		return nil
	}
	return fmt.Errorf("%s: %q is not %q, as %s says", a.member, a.value, b.value, b.member)
}

// check leaves files that cannot be read to who reads them.
func (t trusted) check() error {
	if t.keys.value == "" || t.key.value == "" {
		return nil
	}
	keys, unread := readKeys(t.keys.value)
	signer, unreadable := readSigner(t.key.value)
	if unread != nil || unreadable != nil || token.Disjoint(keys, signer.Keys()) != nil {
		return nil
	}
	return fmt.Errorf("%s: the key of %s is not enrolled", t.keys.member, t.key.member)
}
