package arch

// The modules of other people, each with few homes.
const (
	yaml       = "go.yaml.in/yaml/v3"
	kin        = "github.com/getkin/kin-openapi"
	oapi       = "github.com/oapi-codegen/oapi-codegen/v2"
	oapiRun    = "github.com/oapi-codegen/runtime"
	jsonschema = "github.com/santhosh-tekuri/jsonschema/v5"
	goldmark   = "github.com/yuin/goldmark"
	bluemonday = "github.com/microcosm-cc/bluemonday"
	xnet       = "golang.org/x/net"
	sdk        = "github.com/modelcontextprotocol/go-sdk"
	goCmp      = "github.com/google/go-cmp"
	goRedis    = "github.com/redis/go-redis/v9"
	scripts    = "github.com/rogpeppe/go-internal"
	xcrypto    = "golang.org/x/crypto"
	xtext      = "golang.org/x/text"
	xtools     = "golang.org/x/tools"
	xmod       = "golang.org/x/mod"
	xsync      = "golang.org/x/sync"
	xsys       = "golang.org/x/sys"
	prometheus = "github.com/prometheus/client_golang"
	promParser = "github.com/prometheus/common"
	otel       = "go.opentelemetry.io/otel"
	otlp       = "go.opentelemetry.io/proto/otlp"
	protobuf   = "google.golang.org/protobuf"
	jwx        = "github.com/lestrrat-go/jwx/v2"
	oidc       = "github.com/coreos/go-oidc/v3"
	oauth2     = "golang.org/x/oauth2"
	goJSON     = "github.com/go-json-experiment/json"
	edwards    = "filippo.io/edwards25519"
	googleUUID = "github.com/google/uuid"
	pgx        = "github.com/jackc/pgx/v5"
	goose      = "github.com/pressly/goose/v3"
	protoFiles = "github.com/bufbuild/protocompile"
	acpSDK     = "github.com/coder/acp-go-sdk"
	rapid      = "pgregory.net/rapid"
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
var everywhere = []string{goCmp, scripts, xtools + "/txtar", "internal/catalogtest/...", "internal/leak", "internal/pg/pgtest", "internal/redistest", "services/world/host/hosttest"}

// policy is the closed world, by folder of this module.
var policy = map[string]rule{
	// The programs: two mains and nothing else.
	"cmd/mcpgen": {own: []string{"generators"}},
	"cmd/pharos": {
		own:     []string{"edge/...", "services/...", "generated/...", "internal/ballast", "internal/devidp", "internal/httpguard", "internal/observe", "internal/pg", "internal/strictjson"},
		modules: []string{googleUUID, pgx}, tests: []string{oauth2, sdk},
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
	"edge/token": {own: []string{"internal/strictjson"}, modules: []string{jwx}},
	"edge": {
		own: []string{
			"edge/fault", "edge/token", "edge/tool", "internal/admission", "internal/ballast", "internal/drain", "internal/extension", "internal/httpguard",
			"internal/jsonrpc", "internal/observe", "internal/strictjson", "internal/validate",
		},
		modules: []string{sdk, xsync},
	},

	// Private packages of the programs.
	"internal/extension":   {modules: []string{sdk}},
	"internal/admission":   {modules: []string{goRedis}},
	"internal/ballast":     {},
	"internal/validate":    {own: []string{"edge/tool"}, modules: []string{jsonschema}},
	"internal/httpguard":   {own: []string{"edge/fault", "internal/strictjson"}},
	"internal/jsonrpc":     {},
	"internal/strictjson":  {modules: []string{goJSON}, tests: []string{"internal/jsonrpc"}},
	"internal/receipt":     {},
	"internal/observe":     {modules: []string{prometheus, otel}, tests: []string{promParser, otlp, protobuf}},
	"internal/devidp":      {tests: []string{oidc, oauth2}},
	"internal/drain":       {modules: []string{xsys}},
	"internal/pg":          {own: []string{"edge/fault", "internal/pg/embedded", "queries"}, modules: []string{googleUUID, goose, pgx}},
	"internal/pg/embedded": {tests: []string{pgx}},
	"internal/password":    {own: []string{"edge/fault"}, modules: []string{xcrypto}},
	"internal/secret":      {},
	"internal/apicheck":    {own: []string{"edge/fault", "edge/tool", "internal/strictjson", "internal/validate"}, tests: []string{"internal/httpguard"}},

	// Services: each its own generated packages, never another service.
	"services/platform": {
		own: []string{
			"edge/fault", "generated/platform", "generated/platformapi",
			"internal/apicheck", "internal/httpguard", "internal/pg", "internal/strictjson", "services/platform/...",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"edge/token", "internal/apifuzz"},
	},
	"services/platform/access": {
		own: []string{
			"edge/fault", "edge/token", "edge/tool", "generated/platformapi", "generated/platformdb", "internal/admission",
			"internal/password", "internal/pg", "internal/secret", "services/platform/page",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"generated/platform", "internal/pg/pgtest"},
	},
	"services/platform/party": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg",
			"services/platform/access", "services/platform/command", "services/platform/page",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"generated/platform", "internal/admission"},
	},
	"services/platform/hpc": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg",
			"services/platform/command", "services/platform/page",
		},
		modules: []string{pgx, protobuf}, tests: []string{"internal/pg/pgtest", protoFiles, googleUUID, yaml},
	},
	"services/platform/support": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg",
			"services/platform/access", "services/platform/command", "services/platform/page",
		},
		modules: []string{googleUUID, pgx},
	},
	"services/platform/page": {own: []string{"edge/fault"}, modules: []string{googleUUID}},
	"services/platform/command": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg", "internal/receipt",
			"services/platform/access",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"internal/pg/pgtest"},
	},
	"services/platform/project": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg",
			"services/platform/access", "services/platform/command", "services/platform/page",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"internal/pg/pgtest"},
	},
	"services/platform/pipeline": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg",
			"services/platform/access", "services/platform/command", "services/platform/page", "services/platform/project",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"internal/pg/pgtest"},
	},
	"services/platform/run": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg",
			"services/platform/access", "services/platform/command", "services/platform/hpc", "services/platform/page",
			"services/platform/pipeline", "services/platform/project",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"generated/platform", "internal/pg/pgtest"},
	},
	"services/platform/sshkey": {
		own: []string{
			"edge/fault", "generated/platformapi", "generated/platformdb", "internal/pg",
			"services/platform/access", "services/platform/command", "services/platform/page",
		},
		modules: []string{edwards, googleUUID, pgx, xcrypto}, tests: []string{"internal/pg/pgtest"},
	},

	// Play keeps apart what can be told of it: its owners, and the pages over them.
	"services/play": {
		own: []string{
			"edge/fault", "edge/tool", "generated/author", "generated/authortoolsapi", "generated/play", "generated/playapi", "generated/playtoolsapi",
			"internal/admission", "internal/apicheck", "internal/httpguard", "internal/pg", "services/play/...",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"internal/apifuzz", "internal/validate"},
	},
	"services/play/assignment": {
		own: []string{
			"edge/fault", "generated/playdb", "internal/pg", "internal/receipt", "internal/secret",
			"services/play/check", "services/play/fold",
		},
		modules: []string{googleUUID, pgx}, tests: []string{"internal/pg/pgtest", "services/play/failure"},
	},
	"services/play/chronicle": {
		own: []string{
			"edge/fault", "generated/playdb", "internal/pg", "services/play/assignment", "services/play/facilitator",
			"services/play/fold", "services/play/report",
		},
		modules: []string{googleUUID, pgx},
	},
	"services/play/check": {own: []string{"edge/fault"}},
	"services/play/scenario": {
		own:     []string{"edge/fault", "generated/playdb", "internal/pg", "internal/receipt", "services/play/check"},
		modules: []string{googleUUID, pgx},
	},
	"services/play/wiki": {
		own:     []string{"edge/fault", "generated/playdb", "internal/pg", "services/play/check", "services/play/fold"},
		modules: []string{googleUUID, pgx},
	},
	"services/play/demo": {
		own: []string{
			"edge/fault", "services/play/account", "services/play/assignment", "services/play/check", "services/play/scenario",
			"services/play/wiki",
		},
		modules: []string{googleUUID}, tests: []string{pgx},
	},
	"services/play/facilitator": {},
	"services/play/failure":     {own: []string{"edge/fault", "internal/pg"}, tests: []string{pgx}},
	"services/play/fold":        {modules: []string{googleUUID, xtext}},
	"services/play/report":      {tests: []string{goldmark}},

	// Statements and migrations, and what sqlc makes of the former.
	"queries":              {tests: []string{pgx}},
	"generated/platformdb": {modules: []string{googleUUID, pgx}},
	"generated/brokerdb":   {modules: []string{googleUUID, pgx}},
	"generated/playdb":     {modules: []string{googleUUID, pgx}},

	"generated/simulatordb": {modules: []string{pgx}},

	// The simulator's game: each package above those that it imports, and all of
	// them without a clock, a network or a file that is not theirs.
	"services/simulator": {
		own: []string{"edge/fault", "edge/tool", "generated/simulator", "generated/simulatorapi", "services/simulator/..."},
	},
	"services/simulator/display":             {own: []string{"internal/httpguard", "services/simulator/city"}},
	"services/simulator/geo":                 {},
	"services/simulator/stream":              {},
	"services/simulator/city":                {own: []string{"services/simulator/geo"}, tests: []string{"services/simulator/city/generate"}},
	"services/simulator/city/generate":       {own: []string{"services/simulator/city", "services/simulator/geo", "services/simulator/stream"}},
	"services/simulator/city/generate/write": {own: []string{"services/simulator/city/generate"}},
	"services/simulator/city/osm":            {own: []string{"services/simulator/city", "services/simulator/geo", "services/simulator/stream"}},
	"services/simulator/claim":               {own: []string{"services/simulator/geo"}},
	"services/simulator/speech":              {own: []string{"services/simulator/claim", "services/simulator/stream"}},
	"services/simulator/engine": {
		own: []string{
			"services/simulator/city", "services/simulator/claim", "services/simulator/geo", "services/simulator/speech", "services/simulator/stream",
		},
		tests: []string{"services/simulator/city/generate"},
	},
	"services/simulator/dataset": {
		own: []string{
			"internal/strictjson", "services/simulator/engine", "services/simulator/speech", "services/simulator/stream",
		},
		tests: []string{jsonschema},
	},
	"services/simulator/baseline": {own: []string{"services/simulator/engine", "services/simulator/geo"}},
	"services/simulator/runlog": {
		own: []string{"services/simulator/city", "services/simulator/engine", "services/simulator/geo"}, tests: []string{jsonschema},
	},
	"services/simulator/runindex": {
		own:     []string{"generated/simulatordb", "internal/pg", "services/simulator/runlog"},
		modules: []string{pgx}, tests: []string{"services/simulator/engine"},
	},

	"generated/worlddb":     {modules: []string{googleUUID, pgx}},
	"services/world/blocks": {own: []string{"services/world/geom"}},
	"services/world/geom":   {own: []string{"internal/strictjson"}, tests: []string{rapid}},
	"services/world/journal": {
		own:     []string{"edge/fault", "generated/worlddb", "internal/pg", "services/world/geom"},
		modules: []string{googleUUID, pgx}, tests: []string{"internal/pg/pgtest"},
	},
	"services/world/nbt":        {},
	"services/world/region":     {own: []string{"services/world/crashpoint", "services/world/disk"}, tests: []string{"services/world/disk/lossy"}},
	"services/world/chunk":      {own: []string{"services/world/blocks", "services/world/geom", "services/world/nbt"}, tests: []string{rapid}},
	"services/world/disk":       {tests: []string{"services/world/disk/lossy"}},
	"services/world/disk/lossy": {own: []string{"services/world/disk"}},
	"services/world/host": {
		own: []string{"services/world/blocks", "services/world/geom"}, modules: []string{googleUUID},
	},
	"services/world/host/serial": {
		own:     []string{"services/world/blocks", "services/world/geom", "services/world/host"},
		modules: []string{googleUUID},
	},
	"services/world/host/anvil": {
		own: []string{
			"services/world/blocks", "services/world/chunk", "services/world/crashpoint", "services/world/disk", "services/world/geom",
			"services/world/host", "services/world/host/serial", "services/world/nbt", "services/world/region",
		},
		modules: []string{googleUUID}, tests: []string{"services/world/disk/lossy"},
	},
	"services/world/host/memory": {
		own:     []string{"services/world/blocks", "services/world/geom", "services/world/host", "services/world/host/serial"},
		modules: []string{googleUUID},
	},
	"services/world/host/hosttest": {
		own: []string{"services/world/geom", "services/world/host"}, modules: []string{googleUUID, goCmp},
	},
	"services/world/crashpoint":    {},
	"services/world/colour":        {tests: []string{"services/world/blocks"}},
	"services/world/chat":          {own: []string{"edge/fault", "services/world/geom"}, modules: []string{googleUUID}},
	"services/world/bridge/demo":   {modules: []string{acpSDK, googleUUID, sdk}},
	"services/world/bridge":        {own: []string{"services/world/chat"}, modules: []string{acpSDK, googleUUID}, tests: []string{"edge/fault", "services/world/bridge/demo", "services/world/geom"}},
	"services/world/camera/render": {own: []string{"services/world/colour", "services/world/geom"}},
	"services/world/camera/snapshot": {
		own: []string{
			"services/world/blocks", "services/world/camera/render", "services/world/colour", "services/world/geom", "services/world/host",
		},
		tests: []string{"services/world/host/memory"},
	},
	"services/world/camera/worker": {
		own:   []string{"edge/fault", "services/world/blocks", "services/world/camera/render", "services/world/camera/snapshot"},
		tests: []string{"services/world/geom", "services/world/host", "services/world/host/memory", "services/world/java"},
	},
	"services/world/camera/desk": {own: []string{"edge/fault", "services/world/camera/worker"}, modules: []string{googleUUID}},
	"services/world/java": {
		own: []string{
			"services/world/blocks", "services/world/geom", "services/world/host", "services/world/host/serial",
			"services/world/java/protocol", "services/world/java/wire", "services/world/nbt",
		},
		modules: []string{googleUUID},
		tests:   []string{"services/world/disk", "services/world/host/anvil", "services/world/host/memory"},
	},
	"services/world/java/protocol": {own: []string{"services/world/nbt"}},
	"services/world/java/wire":     {own: []string{"services/world/geom"}, modules: []string{googleUUID}},
	"services/world/key":           {},
	"services/world/live": {
		own: []string{
			"internal/httpguard", "services/world/geom", "services/world/host", "services/world/live/mesh",
		},
		modules: []string{googleUUID}, tests: []string{"internal/leak", "services/world/blocks", "services/world/host/memory"},
	},
	"services/world/live/mesh": {
		own:   []string{"services/world/blocks", "services/world/colour", "services/world/host"},
		tests: []string{rapid},
	},
	"services/world/live/show": {
		own: []string{
			"services/world/blocks", "services/world/geom", "services/world/host", "services/world/host/memory", "services/world/live",
		},
		modules: []string{googleUUID},
	},
	"services/world": {
		own: []string{
			"edge/fault", "edge/tool", "generated/world", "generated/worldapi", "services/world/asset",
			"services/world/camera/desk", "services/world/camera/render", "services/world/camera/snapshot", "services/world/camera/worker",
			"services/world/chat", "services/world/crashpoint", "services/world/geom", "services/world/host", "services/world/journal", "services/world/operation", "services/world/plan",
			"services/world/project", "services/world/schem",
		},
		modules: []string{googleUUID},
		tests: []string{
			"edge", "services/world/blocks", "services/world/disk", "services/world/host/memory", "services/world/key", pgx,
		},
	},
	"services/world/asset": {
		own: []string{
			"edge/fault", "services/world/blocks", "services/world/crashpoint", "services/world/disk", "services/world/geom",
			"services/world/host", "services/world/schem",
		},
		tests: []string{"services/world/host/memory", googleUUID},
	},
	"services/world/schem": {own: []string{"edge/fault", "services/world/blocks", "services/world/geom", "services/world/nbt"}},
	"services/world/plan": {
		own:     []string{"edge/fault", "services/world/blocks", "services/world/geom", "services/world/host"},
		modules: []string{googleUUID}, tests: []string{rapid, "services/world/host/memory"},
	},
	"services/world/operation": {
		own: []string{
			"edge/fault", "services/world/crashpoint", "services/world/disk", "services/world/geom", "services/world/host", "services/world/journal",
		},
		modules: []string{googleUUID},
		tests:   []string{pgx, rapid, "internal/pg", "services/world/blocks", "services/world/host/memory", "services/world/plan"},
	},
	"services/world/project": {
		own:     []string{"edge/fault", "internal/strictjson", "services/world/blocks", "services/world/geom"},
		modules: []string{googleUUID},
	},

	"services/broker": {
		own:     []string{"edge/token", "generated/brokerdb", "internal/admission", "internal/pg", "internal/strictjson"},
		modules: []string{googleUUID, oauth2, oidc, pgx}, tests: []string{"internal/devidp", "internal/pg/pgtest"},
	},

	"services/play/account": {
		own:     []string{"edge/fault", "generated/playdb", "internal/admission", "internal/password", "internal/pg", "internal/secret", "services/play/check"},
		modules: []string{googleUUID, pgx}, tests: []string{"internal/pg/pgtest"},
	},
	"services/play/login": {own: []string{"edge/fault", "services/play/account"}},
	"services/play/web": {
		own: []string{
			"edge/fault", "internal/pg", "services/play/account", "services/play/assignment", "services/play/chronicle",
			"services/play/failure", "services/play/login", "services/play/report", "services/play/scenario", "services/play/web/words", "services/play/wiki",
		},
		modules: []string{bluemonday, goldmark, googleUUID}, tests: []string{pgx, xnet},
	},
	"services/play/web/words": {modules: []string{xtext}},

	// Generated code.
	"generated/simulator":    {own: []string{"edge/tool", "generated/simulatorapi"}},
	"generated/world":        {own: []string{"edge/tool", "generated/worldapi"}},
	"generated/worldapi":     {},
	"generated/simulatorapi": {own: []string{"edge/tool"}},
	"generated/platform":     {own: []string{"edge/tool", "generated/platformapi"}},
	"generated/platformapi":  {own: []string{"edge/tool"}, modules: []string{oapiRun}},

	"generated/play":           {own: []string{"edge/tool", "generated/playtoolsapi"}},
	"generated/playapi":        {modules: []string{oapiRun}},
	"generated/playtoolsapi":   {},
	"generated/author":         {own: []string{"edge/tool", "generated/authortoolsapi"}},
	"generated/authortoolsapi": {},

	// What only tests and the targets of the Makefile use.
	"internal/arch": {tests: []string{xmod}},
	"internal/apidoc": {tests: []string{
		"edge/fault", "edge/tool", "generated/author", "generated/platform", "generated/play", "generators", "internal/validate",
		jsonschema, yaml,
	}},
	"internal/apifuzz":      {modules: []string{jsonschema, yaml}}, // reads documents as they are written, past the generator
	"internal/contract":     {},
	"internal/leak":         {},
	"internal/modproxy":     {modules: []string{xmod}},
	"internal/measure":      {},
	"internal/redistest":    {},
	"internal/pg/scratch":   {own: []string{"internal/pg/embedded"}},
	"internal/pg/pgtest":    {own: []string{"internal/pg", "internal/pg/embedded"}, modules: []string{pgx}},
	"internal/platformtest": {tests: []string{"edge/token", pgx}},
	"internal/playtest": {tests: []string{
		"edge/tool", "generated/author", "generated/play", "generated/playapi", "internal/secret", "services/play/...", googleUUID, pgx, sdk,
	}},
	"internal/simtest": {tests: []string{
		"services/simulator/...", pgx, sdk,
	}},
	"internal/worldtest": {tests: []string{
		"edge/fault", "edge/tool", "generated/world", "internal/pg", "internal/pg/embedded", "services/world/...", googleUUID, pgx,
	}},
	"docs/simulator/examples/go": {modules: []string{sdk}},
	"internal/outside":           {own: []string{"internal/modproxy"}},
	"internal/mcpclient":         {modules: []string{sdk}},
	"internal/conformance":       {own: []string{"edge/...", "internal/extension"}, modules: []string{sdk}},
	"internal/corpus":            {own: []string{"internal/measure", "internal/modproxy"}, modules: []string{sdk, xmod}},
	"internal/mutate":            {},
	"internal/bench/...": {
		own: []string{
			"edge/...", "generated/platform", "generated/platformdb", "generated/playdb", "internal/ballast", "internal/bench/...",
			"internal/measure", "internal/modproxy", "internal/observe", "internal/pg", "internal/pg/embedded",
			"services/platform/...", "services/play/...", "services/simulator/...", "services/world/...",
		},
		modules: []string{jwx, kin, oapi, sdk, googleUUID, pgx}, tests: []string{"generators"},
	},
	"internal/wiretest/...":    {own: []string{"edge/...", "internal/wiretest/..."}, modules: []string{sdk}, tests: []string{"generators"}},
	"internal/catalogtest/...": {own: []string{"edge/...", "internal/catalogtest/..."}, modules: []string{sdk}, tests: []string{"generators", jsonschema}},
}

// forTests is what no program may contain: the packages made for tests and
// for targets of the Makefile, and the libraries that only tests need.
var forTests = []string{
	"internal/apidoc", "internal/apifuzz", "internal/arch", "internal/bench/...", "internal/catalogtest/...", "internal/conformance",
	"internal/contract", "internal/corpus", "internal/leak", "internal/mcpclient", "internal/measure", "internal/modproxy",
	"internal/mutate", "internal/outside",
	"internal/pg/pgtest", "internal/pg/scratch", "internal/platformtest", "internal/playtest", "internal/redistest", "internal/simtest", "internal/wiretest/...", "internal/worldtest", "services/world/disk/lossy", "services/world/host/hosttest",
	"services/world/live/show", "testing", "net/http/httptest", goCmp, rapid, scripts, xtools + "/txtar",
}
