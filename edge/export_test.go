package edge

// LeaveToSDK makes the SDK answer every message, as the reference of what the
// edge answers itself.
func LeaveToSDK(s *Server) { s.shortcuts.off = true }
