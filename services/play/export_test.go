package play

import "net/http"

// Addressed is what stands in front of everything that asks for an address.
func Addressed(s *Service, next http.Handler) http.Handler { return s.addressed(next) }
