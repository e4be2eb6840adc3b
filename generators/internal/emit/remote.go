package emit

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// remoteView is what remote.go.tmpl prints.
type remoteView struct {
	header
	Cases []remoteCase
}

// remoteCase are the tools whose results come back in the same way.
type remoteCase struct {
	Tools string
	Call  string
}

func newRemoteView(c *ir.Catalog) remoteView {
	v := remoteView{header: newHeader(c, []string{"context", "fmt"}, []string{runtime})}
	for _, kind := range []struct {
		call  string
		image bool
	}{{"tool.Remote", false}, {"tool.RemoteImage", true}} {
		var names []string
		for _, op := range c.Operations {
			if op.Image == kind.image {
				names = append(names, quote(op.Tool)+",")
			}
		}
		if len(names) > 0 {
			tools := wrap(2, 0, names)
			v.Cases = append(v.Cases, remoteCase{Tools: strings.TrimSuffix(tools, ","), Call: kind.call})
		}
	}
	return v
}
