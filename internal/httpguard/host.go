package httpguard

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// hostAllowed reports whether a Host header names this server, in whatever
// spelling of the same name or address.
func (g *guard) hostAllowed(host string) bool {
	name, ok := hostname(host)
	return ok && (IsLoopback(name) || slices.ContainsFunc(g.Hosts, func(h string) bool { return SameHost(h, name) }))
}

// IsLoopback reports whether a host name or address, without a port, stands
// for the loopback interface.
func IsLoopback(name string) bool {
	if strings.EqualFold(strings.TrimSuffix(name, "."), "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback()
}

// SameHost reports whether two names, without a port, are the same host's: the
// same address, or the same name but for letter case and the dot that may end
// it. An address with a zone is no one's: it means something on one machine
// only.
func SameHost(a, b string) bool {
	one, err := netip.ParseAddr(a)
	if other, bad := netip.ParseAddr(b); err == nil || bad == nil {
		return err == nil && bad == nil && one.Zone() == "" && one.Unmap() == other.Unmap()
	}
	a, b = strings.TrimSuffix(a, "."), strings.TrimSuffix(b, ".")
	return a != "" && strings.EqualFold(a, b)
}

// hostname takes the port and the brackets off a Host header. Only an address
// of IPv6 stands in brackets, and it must.
func hostname(host string) (name string, ok bool) {
	name, port := host, ""
	if inside, found := strings.CutPrefix(host, "["); found {
		if name, port, ok = strings.Cut(inside, "]"); !ok || !strings.Contains(name, ":") {
			return "", false
		}
	} else if colon := strings.IndexByte(host, ':'); colon >= 0 {
		name, port = host[:colon], host[colon:]
	}
	if port == "" || port == ":" {
		return name, name != ""
	}
	_, err := strconv.ParseUint(strings.TrimPrefix(port, ":"), 10, 16)
	return name, name != "" && port[0] == ':' && err == nil
}
