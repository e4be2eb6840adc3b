package edge

import "net/http"

// LeaveToSDK makes the SDK answer every message, as the reference of what the
// edge answers itself.
func LeaveToSDK(s *Server) { s.shortcuts.off = true }

// Ends reports whether the call of a tool that comes with a request is left to
// end by itself.
func Ends(s *Server, r *http.Request, tool string) bool {
	return s.ends(r, &request{plan: plan{call: s.tools[tool]}})
}
