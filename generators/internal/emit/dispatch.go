package emit

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// dispatchView is what dispatch.go.tmpl prints.
type dispatchView struct {
	header
	Handler   bool
	Operation []caseView
}

// caseView is one operation of the dispatcher.
type caseView struct {
	Tool   string
	Return string
	Doc    string // of its method
	Method string // of the Handler interface
}

func newDispatchView(c *ir.Catalog) dispatchView {
	v := dispatchView{Handler: c.Binding == "handler"}
	std := map[string]bool{"context": true, "fmt": true}
	other := map[string]bool{runtime: true}
	clients := map[string]*ir.Document{}
	for _, d := range c.Documents {
		clients[d.Name] = d
	}
	for _, op := range c.Operations {
		cv := caseView{Tool: quote(op.Tool)}
		if v.Handler {
			result := resultType(clients[op.Document].Package, op)
			if strings.Contains(result, clients[op.Document].Package+".") {
				other[clientPath(c, clients[op.Document])] = true
			}
			if strings.Contains(result, "json.") {
				std["encoding/json"] = true
			}
			cv.Return = call(2, "return tool.Handle", []string{"ctx", "op", "args", "d.handler." + op.GoName}, "")
			cv.Doc = doc(op.GoName + " performs " + op.Tool + ".")
			if op.RPCOnly {
				cv.Doc = doc(op.GoName + " performs " + op.Tool + ", which is no tool.")
			}
			cv.Method = call(1, op.GoName,
				[]string{"ctx context.Context", "in *" + op.GoName + "Input"}, " ("+result+", error)")
		} else {
			cv.Return = call(2, "return tool.Call", []string{"ctx", "x", "op", "args", "new(" + op.GoName + "Input)"}, "")
		}
		v.Operation = append(v.Operation, cv)
	}
	v.header = newHeader(c, keys(std), keys(other))
	return v
}

// resultType is what the handler of an operation returns.
func resultType(client string, op *ir.Operation) string {
	if op.Raw {
		return "tool.RawJSON"
	}
	if op.Image {
		return "tool.Image"
	}
	for _, r := range op.Replies {
		switch {
		case !strings.HasPrefix(r.Status, "2"):
			continue
		case r.GoType != "":
			return qualify(client, r.GoType)
		case r.Def != "":
			return "tool.RawJSON"
		case strings.HasPrefix(r.MediaType, "text/"):
			return "string"
		}
	}
	return "tool.None"
}
