package normalise

import (
	"fmt"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// dialect is the version whose rules a file follows.
type dialect uint8

const (
	unversioned dialect = iota // a part, read like the file that refers to it
	swagger20
	openapi30
	openapi31
	unsupported
)

// dialectOf tells the version of a file from its root. The version may have been
// written as a number.
func dialectOf(root *spec.Node) dialect {
	version, swagger := versionOf(root)
	switch {
	case version == "":
		return unversioned
	case swagger && (version == "2.0" || version == "2"):
		return swagger20
	case swagger:
		return unsupported
	case version == "3" || version == "3.0" || strings.HasPrefix(version, "3.0."):
		return openapi30
	case version == "3.1" || strings.HasPrefix(version, "3.1."):
		return openapi31
	default:
		return unsupported
	}
}

func versionOf(root *spec.Node) (version string, swagger bool) {
	if v := scalar(root.Get("openapi")); v != "" {
		return v, false
	}
	if v := scalar(root.Get("swagger")); v != "" {
		return v, true
	}
	if v := scalar(root.Get("swaggerVersion")); v != "" {
		return v, true
	}
	return "", false
}

func versionPos(root *spec.Node) spec.Pos {
	for _, name := range []string{"openapi", "swagger", "swaggerVersion"} {
		if v := root.Get(name); v != nil {
			return v.Pos
		}
	}
	return root.Pos
}

func versionMessage(root *spec.Node) string {
	version, swagger := versionOf(root)
	if swagger {
		return fmt.Sprintf("Swagger %s is not supported", version)
	}
	return fmt.Sprintf("OpenAPI %s is not supported", version)
}
