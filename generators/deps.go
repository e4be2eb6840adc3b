//go:build deps

package generators

import (
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/modelcontextprotocol/go-sdk/auth"
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/oapi-codegen/runtime/types"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v5"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/tools/go/packages"
	_ "golang.org/x/tools/txtar"
)
