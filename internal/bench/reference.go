package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

// refer does what the generator is compared with: it loads a normalised
// document with kin-openapi and lets oapi-codegen generate its models and
// client.
//
// Components get a suffix first: many real documents, the largest among them,
// have an inline enum whose Go name is that of a component, and oapi-codegen
// refuses them as they are.
func refer(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if data, err = suffix(data); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	document, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	code, err := codegen.Generate(document, codegen.Configuration{
		PackageName:         "reference",
		Generate:            codegen.GenerateOptions{Models: true, Client: true},
		Compatibility:       codegen.CompatibilityOptions{AlwaysPrefixEnumValues: true},
		AllowRemoteRefsFrom: []string{},
		OutputOptions: codegen.OutputOptions{
			ResolveTypeNameCollisions: true,
			ResponseTypeSuffix:        "Resp",
		},
	})
	if err != nil {
		return fmt.Errorf("oapi-codegen: %w", err)
	}
	if len(code) == 0 {
		return fmt.Errorf("oapi-codegen gave nothing for %s", file)
	}
	return nil
}

const schemas = "#/components/schemas/"

// suffix renames every shared schema X to XModel.
func suffix(data []byte) ([]byte, error) {
	var document map[string]any
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	components, _ := document["components"].(map[string]any)
	shared, _ := components["schemas"].(map[string]any)
	renamed := make(map[string]any, len(shared))
	for name, schema := range shared {
		renamed[name+"Model"] = schema
	}
	if components != nil {
		components["schemas"] = renamed
	}
	point(document)
	var out bytes.Buffer
	err := json.NewEncoder(&out).Encode(document)
	return out.Bytes(), err
}

// point lets every reference to a shared schema follow its new name.
func point(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			point(item)
		}
	case map[string]any:
		for _, item := range v {
			point(item)
		}
		if ref, ok := v["$ref"].(string); ok && strings.HasPrefix(ref, schemas) {
			v["$ref"] = ref + "Model"
		}
	}
}
