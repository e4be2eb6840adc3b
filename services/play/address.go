package play

import (
	"net/http"
	"net/netip"
)

// addressed gives a request the address of its client for that of its peer,
// where the peer is a proxy of one's own.
func (s *Service) addressed(next http.Handler) http.Handler {
	if len(s.config.Proxies) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if client := s.config.Proxies.Client(r); client.IsValid() {
			r.RemoteAddr = netip.AddrPortFrom(client.Addr, 0).String()
		}
		next.ServeHTTP(w, r)
	})
}
