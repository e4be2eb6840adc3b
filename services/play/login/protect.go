package login

import (
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
)

var protection = http.NewCrossOriginProtection()

// Check refuses a request that would change something and comes from a page of
// another origin: another site, another host of this site, or a page without an
// origin. Browsers say where a request comes from (Sec-Fetch-Site, or Origin,
// whose host must be that of the request); a program that says nothing has no
// cookies of others to misuse, and passes. It compares no scheme, so that pages
// under HTTPS need Strict-Transport-Security beside it.
func Check(r *http.Request) error {
	if protection.Check(r) != nil {
		return fault.New(fault.Forbidden, "the request comes from a page of another origin")
	}
	return nil
}
