package broker

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// addressOf is whom a request counts for where something is bounded by address:
// the peer or, behind proxies of one's own, the last address that they did not
// write themselves. Of IPv6 it is the network of 64 bits that one site has.
func (c Config) addressOf(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || !c.isProxy(address) {
			break
		}
		address = before.Unmap()
	}
	if address.Is6() {
		return netip.PrefixFrom(address.WithZone(""), 64).Masked().String()
	}
	return address.String()
}

func (c Config) isProxy(a netip.Addr) bool {
	return slices.ContainsFunc(c.Proxies, func(network netip.Prefix) bool { return network.Contains(a) })
}
