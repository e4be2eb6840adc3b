package hpc_test

import (
	"encoding/base64"
	"io"
	"os"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
)

const api = "../../../api/platform"

// description is the message of hpc.proto, as its compiler understands it.
func description(t *testing.T) protoreflect.MessageDescriptor {
	t.Helper()
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{api}}),
	}
	files, err := compiler.Compile(t.Context(), "hpc.proto")
	if err != nil {
		t.Fatal(err)
	}
	m := files[0].Messages().ByName("QueueProjection")
	if m == nil || m.FullName() != "pharos.platform.hpc.v1.QueueProjection" {
		t.Fatalf("hpc.proto has no QueueProjection: %v", m)
	}
	return m
}

// read decodes a projection and refuses what hpc.proto does not declare.
func read(t *testing.T, message []byte) *dynamicpb.Message {
	t.Helper()
	m := dynamicpb.NewMessage(description(t))
	if err := proto.Unmarshal(message, m); err != nil {
		t.Fatal(err)
	}
	unknown(t, m)
	return m
}

func unknown(t *testing.T, m protoreflect.Message) {
	t.Helper()
	if fields := m.GetUnknown(); len(fields) > 0 {
		t.Errorf("%s has fields that hpc.proto does not declare: % x", m.Descriptor().Name(), fields)
	}
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.IsList() && field.Message() != nil:
			for i := range v.List().Len() {
				unknown(t, v.List().Get(i).Message())
			}
		case field.Message() != nil:
			unknown(t, v.Message())
		}
		return true
	})
}

// expected writes a message down as JSON.
func expected(t *testing.T, text string) *dynamicpb.Message {
	t.Helper()
	m := dynamicpb.NewMessage(description(t))
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// clause: E-15, E-40
func TestProjection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.runs("long", "queued", 3)
	f.runs("long", "running", 4)
	for name, want := range map[string]string{
		"long": `{
			"name": "long", "description": "Runs of days, which may wait for as long.", "state": "STATE_OPEN",
			"partitions": [
				{"name": "long-a", "nodes": "12", "coresPerNode": "128", "memoryGibPerNode": "512"},
				{"name": "long-b", "nodes": "4", "coresPerNode": "128", "memoryGibPerNode": "2048"}
			],
			"limits": {"runSeconds": "604800", "queuedRuns": "1000", "runningRuns": "16"},
			"load": {"queued": "3", "running": "4", "utilisation": 0.25},
			"measuredAt": "2026-11-30T12:00:00Z"
		}`,
		"legacy": `{
			"name": "legacy", "description": "The former machine. It ends what it has and takes nothing more.",
			"state": "STATE_DRAINING",
			"partitions": [{"name": "legacy-a", "nodes": "16", "coresPerNode": "24", "memoryGibPerNode": "64"}],
			"limits": {"runSeconds": "86400", "queuedRuns": "100", "runningRuns": "4"},
			"load": {}, "measuredAt": "2026-11-30T12:00:00Z"
		}`,
	} {
		reply, err := f.GetHpcQueueProjection(t.Context(), platformapi.GetHpcQueueProjectionRequestObject{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		body := reply.(platformapi.GetHpcQueueProjection200ApplicationxProtobufResponse)
		message, err := io.ReadAll(body.Body)
		if err != nil || int64(len(message)) != body.ContentLength {
			t.Errorf("%s: %d bytes are announced as %d: %v", name, len(message), body.ContentLength, err)
		}
		got := read(t, message)
		if diff := cmp.Diff(expected(t, want), got, protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		again, err := proto.MarshalOptions{Deterministic: true}.Marshal(got)
		if err != nil || string(again) != string(message) {
			t.Errorf("%s: the decoder writes other bytes: %v\n got % x\nwant % x", name, err, message, again)
		}
	}
}

// TestStates finds a state of the message for each state of a queue.
func TestStates(t *testing.T) {
	t.Parallel()
	for state, want := range map[hpc.State]string{
		hpc.Open: "STATE_OPEN", hpc.Draining: "STATE_DRAINING", hpc.Closed: "STATE_CLOSED",
	} {
		q := short
		q.State = state
		m := read(t, hpc.Projection(q))
		field := m.Descriptor().Fields().ByName("state")
		if got := field.Enum().Values().ByNumber(m.Get(field).Enum()).Name(); string(got) != want {
			t.Errorf("a queue that is %s is %s, want %s", state, got, want)
		}
	}
}

// TestExample decodes the example that the API's description gives.
func TestExample(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(api + "/hpc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct{ Example any }
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	content := document.Paths["/hpc/queues/{name}/projection"].Get.Responses["200"].Content
	example, _ := content["application/x-protobuf"].Example.(string)
	q := short
	q.Queued, q.Running = 3, 6
	if want := base64.StdEncoding.EncodeToString(hpc.Projection(q)); example != want {
		t.Errorf("the example is\n%s, want\n%s", example, want)
	}
}
