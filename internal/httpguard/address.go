package httpguard

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the addresses whose word about who is behind them counts. Without
// any, a client is who connects.
type Proxies []netip.Prefix

// ParseProxies reads addresses, such as 127.0.0.1, and networks, such as
// 10.0.0.0/8. Its error names the first that is neither.
func ParseProxies(list []string) (Proxies, error) {
	proxies := make(Proxies, 0, len(list))
	for _, text := range list {
		network, err := netip.ParsePrefix(text)
		if addr, bad := netip.ParseAddr(text); bad == nil && addr.Zone() == "" {
			addr = addr.Unmap()
			network, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil || network.Addr().Is4In6() {
			return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", text)
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

// Client is the address that a request comes from: the connection's, or where
// that is a proxy's, the last one in X-Forwarded-For that is no proxy's. What
// stands before it there, the client may have written itself. The zero address
// is that of a connection without one.
func (p Proxies) Client(r *http.Request) Address {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	addr := plainAddr(peer.Addr())
	lines := r.Header["X-Forwarded-For"]
	for i := len(lines) - 1; i >= 0; i-- {
		line, more := lines[i], true
		for more {
			if !p.trusts(addr) {
				return Address{addr}
			}
			text := line
			comma := strings.LastIndexByte(line, ',')
			if more = comma >= 0; more {
				line, text = line[:comma], line[comma+1:]
			}
			before, ok := parseHop(strings.TrimSpace(text))
			if !ok {
				return Address{addr} // the proxy's own, who wrote what nobody can read
			}
			addr = before
		}
	}
	return Address{addr}
}

func (p Proxies) trusts(addr netip.Addr) bool {
	for _, network := range p {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// parseHop reads an address as proxies write it, some with a port.
func parseHop(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return plainAddr(withPort.Addr()), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return plainAddr(addr), err == nil
}

// plainAddr is the one spelling of an address.
func plainAddr(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// Address is that of a client.
type Address struct{ netip.Addr }

// Key tells clients apart for bounds. Who has one address of IPv6 has the 2^64
// that begin like it, so they are one.
func (a Address) Key() string {
	switch {
	case a.Is4():
		bytes := a.As4()
		return string(bytes[:])
	case a.Is6():
		bytes := a.As16()
		return string(bytes[:8])
	default:
		return ""
	}
}
