package broker

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"
)

// errNotPublic is an address that no client's document may stand at.
var errNotPublic = errors.New("not a public address")

// guard judges every address that a connection is about to be made to, after
// its name was resolved, so that no name can lead inside, whenever it changes.
func guard(development bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		ip := to.Addr().Unmap()
		if development && ip.IsLoopback() || isPublic(ip) {
			return nil
		}
		return fmt.Errorf("%s: %w", ip, errNotPublic)
	}
}

func isPublic(ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && !ip.IsPrivate() &&
		!slices.ContainsFunc(specialNetworks, func(n netip.Prefix) bool { return n.Contains(ip) })
}

// specialNetworks are global by form and reach private or shared networks, or
// carry an IPv4 address inside (IANA special-purpose registries).
var specialNetworks = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
	"3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}
