package arch

// The modules of other people, each with few homes.
const (
	yaml       = "go.yaml.in/yaml/v3"
	kin        = "github.com/getkin/kin-openapi"
	oapi       = "github.com/oapi-codegen/oapi-codegen/v2"
	oapiRun    = "github.com/oapi-codegen/runtime"
	jsonschema = "github.com/santhosh-tekuri/jsonschema/v5"
	sdk        = "github.com/modelcontextprotocol/go-sdk"
	goCmp      = "github.com/google/go-cmp"
	goRedis    = "github.com/redis/go-redis/v9"
	scripts    = "github.com/rogpeppe/go-internal"
	xtools     = "golang.org/x/tools"
	xmod       = "golang.org/x/mod"
	xsync      = "golang.org/x/sync"
	xsys       = "golang.org/x/sys"
	prometheus = "github.com/prometheus/client_golang"
	promParser = "github.com/prometheus/common"
	otel       = "go.opentelemetry.io/otel"
	otlp       = "go.opentelemetry.io/proto/otlp"
	protobuf   = "google.golang.org/protobuf"
)

// rule says what one package may import beside the standard library. A path
// that ends in /... stands for the folder and all below it.
type rule struct {
	own     []string // packages of this module
	modules []string // modules of other people
	tests   []string // packages or modules that only its tests use
}

// everywhere is what any test file may import: the test libraries, the
// packages made for tests, and the package's own rule.
var everywhere = []string{goCmp, scripts, xtools + "/txtar", "internal/catalogtest/...", "internal/redistest"}

// policy is the closed world, by folder of this module.
var policy = map[string]rule{
	// The programs: two mains and nothing else.
	"cmd/mcpgen": {own: []string{"generators"}},
	"cmd/pharos": {
		own:   []string{"edge/...", "services/...", "generated/...", "internal/ballast", "internal/httpguard", "internal/observe", "internal/strictjson"},
		tests: []string{sdk},
	},

	// The generator. It serves nothing; what it reads and writes goes one way:
	// spec, normalise, manifest, resolve, schema and clients, emit.
	"generators": {
		own:     []string{"generators/internal/..."},
		modules: []string{xtools + "/go/packages"},
		tests:   []string{"edge/...", jsonschema, sdk, xtools},
	},
	"generators/internal/spec":      {modules: []string{yaml}},
	"generators/internal/normalise": {own: []string{"generators/internal/spec"}, tests: []string{jsonschema}},
	"generators/internal/ir":        {own: []string{"generators/internal/spec"}},
	"generators/internal/manifest":  {own: []string{"generators/internal/spec"}, tests: []string{jsonschema}},
	// The headers that no argument may set are listed once, where they are refused.
	"generators/internal/resolve": {own: []string{
		"edge/tool", "generators/internal/clients", "generators/internal/ir", "generators/internal/manifest",
		"generators/internal/normalise", "generators/internal/spec",
	}},
	"generators/internal/schema": {
		own: []string{
			"generators/internal/ir", "generators/internal/normalise", "generators/internal/spec",
		},
		modules: []string{jsonschema},
	},
	"generators/internal/clients": {
		own: []string{
			"generators/internal/ir", "generators/internal/normalise", "generators/internal/spec",
		},
		modules: []string{kin, oapi, xtools + "/imports"},
		tests:   []string{"edge/tool"},
	},
	"generators/internal/emit": {
		// A schema is a node; emit reads nodes but no documents.
		own:   []string{"generators/internal/ir", "generators/internal/schema", "generators/internal/spec"},
		tests: []string{"edge/tool"},
	},

	// What serves, for everyone: the public library.
	"edge/tool":  {},
	"edge/fault": {},
	"edge": {
		own: []string{
			"edge/fault", "edge/tool", "internal/admission", "internal/ballast", "internal/drain", "internal/extension", "internal/httpguard",
			"internal/jsonrpc", "internal/observe", "internal/strictjson", "internal/validate",
		},
		modules: []string{sdk, xsync},
	},

	// Private packages of the programs.
	"internal/extension":  {modules: []string{sdk}},
	"internal/admission":  {modules: []string{goRedis}},
	"internal/ballast":    {},
	"internal/validate":   {own: []string{"edge/tool"}, modules: []string{jsonschema}},
	"internal/httpguard":  {own: []string{"edge/fault", "internal/strictjson"}},
	"internal/jsonrpc":    {},
	"internal/strictjson": {},
	"internal/observe":    {modules: []string{prometheus, otel}, tests: []string{promParser, otlp, protobuf}},
	"internal/drain":      {modules: []string{xsys}},
	"internal/apicheck":   {own: []string{"edge/fault", "edge/tool", "internal/validate"}, tests: []string{"internal/httpguard"}},

	// Services: each its own generated packages, never another service.
	"services/platform": {own: []string{
		"edge/fault", "edge/tool", "generated/platform", "generated/platformapi",
		"internal/apicheck", "internal/httpguard", "internal/strictjson",
	}},

	// Generated code.
	"generated/platform":    {own: []string{"edge/tool", "generated/platformapi"}},
	"generated/platformapi": {own: []string{"edge/tool"}, modules: []string{oapiRun}},

	// What only tests and the targets of the Makefile use.
	"internal/arch":        {tests: []string{xmod}},
	"internal/contract":    {},
	"internal/modproxy":    {modules: []string{xmod}},
	"internal/measure":     {},
	"internal/redistest":   {},
	"internal/outside":     {own: []string{"internal/modproxy"}},
	"internal/mcpclient":   {modules: []string{sdk}},
	"internal/conformance": {own: []string{"edge/...", "internal/extension"}, modules: []string{sdk}},
	"internal/corpus":      {own: []string{"internal/measure", "internal/modproxy"}, modules: []string{sdk, xmod}},
	"internal/bench/...": {
		own:     []string{"edge/...", "internal/ballast", "internal/bench/...", "internal/measure", "internal/modproxy", "internal/observe"},
		modules: []string{kin, oapi, sdk}, tests: []string{"generators"},
	},
	"internal/wiretest/...":    {own: []string{"edge/...", "internal/wiretest/..."}, modules: []string{sdk}, tests: []string{"generators"}},
	"internal/catalogtest/...": {own: []string{"edge/...", "internal/catalogtest/..."}, modules: []string{sdk}, tests: []string{"generators"}},
}

// forTests is what no program may contain: the packages made for tests and
// for targets of the Makefile, and the libraries that only tests need.
var forTests = []string{
	"internal/arch", "internal/bench/...", "internal/catalogtest/...", "internal/conformance",
	"internal/contract", "internal/corpus",
	"internal/mcpclient", "internal/measure", "internal/modproxy", "internal/outside",
	"internal/redistest", "internal/wiretest/...", "testing", "net/http/httptest", goCmp, scripts, xtools + "/txtar",
}
