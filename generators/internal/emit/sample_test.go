package emit

import (
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// node parses JSON into a schema.
func node(t testing.TB, text string) *spec.Node {
	t.Helper()
	n, err := spec.Parse("sample.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// platform is a catalog of requests with one operation of every kind.
func platform(t testing.TB) *ir.Catalog {
	envelope := node(t, `{"type":"object","properties":{"operation_id":{"type":"string"}},"$defs":{
		"Ticket":{"type":"object","properties":{"id":{"type":"string"},"customer":{"$ref":"#/$defs/Customer"}},"required":["id"]},
		"Customer":{"type":"object","properties":{"name":{"type":"string","maxLength":80}}},
		"Outcome":{"type":"object","properties":{"aggregateId":{"type":"string"},"version":{"type":"integer"}}}}}`)
	return &ir.Catalog{
		Name: "platform", Binding: "http", Input: "grouped", Result: "envelope",
		Module:  "example.com/shop",
		Sources: []string{"api/platform/files.yaml", "api/platform/support.yaml", "manifest.json"},
		Limits:  ir.Limits{Arguments: 65536, Reply: 1048576},
		Documents: []*ir.Document{{
			Name: "platform", Package: "platformapi", Bundle: []byte("{}\n"),
			Schemes: []ir.Scheme{
				{Name: "bearer", In: "header", Key: "Authorization", Prefix: "Bearer "},
				{Name: "tls"},
			},
			Security: [][]string{{"bearer"}},
		}},
		Operations: []*ir.Operation{
			{
				Tool: "close_support_ticket", GoName: "CloseSupportTicket", ID: "closeSupportTicket",
				Document: "platform", Key: "POST /support/tickets/{id}/close", Method: "POST",
				Path: "/support/tickets/{id}/close", Title: "Close a ticket",
				Description: "Closes it.\n<!-- hidden --> | `code`\n\n# not a heading",
				Scope:       "support:write", Effect: "write", Was: []string{"end_ticket"},
				Parameters: []ir.Parameter{
					{Name: "id", Key: "id", GoName: "ID", GoType: "string", In: "path", Required: true},
					{Name: "X-Api-Key", Key: "X-Api-Key", In: "header", Dropped: true},
					{Name: "Idempotency-Key", Key: "Idempotency-Key", GoName: "IdempotencyKey", GoType: "string", In: "header", Required: true},
					{Name: "filter[name]", Key: "filter_name", GoName: "FilterName", GoType: "string", In: "query"},
				},
				Body: &ir.Body{MediaType: "application/json", Form: "json", GoType: "CloseSupportTicketBodyModel"},
				Replies: []ir.Reply{
					{Status: "200", MediaType: "application/json", Def: "Ticket", GoType: "TicketModel"},
					{Status: "404", MediaType: "application/json", Def: "Outcome", Outcome: true},
					{Status: "409", MediaType: "application/json", Def: "Outcome", Outcome: true},
					{Status: "default", MediaType: "text/plain"},
				},
				Input: node(t, `{"type":"object","additionalProperties":false,"required":["path","parameters"],"properties":{
					"path":{"type":"object","required":["id"],"properties":{"id":{"type":"string","description":"Which | one"}}},
					"parameters":{"type":"object","required":["Idempotency-Key"],"properties":{
						"Idempotency-Key":{"type":"string","minLength":1},"filter_name":{"type":["string","null"]}}},
					"body":{"type":"object","additionalProperties":false,"properties":{
						"reason":{"enum":["done","lost"]},"tags":{"type":"array","items":{"type":"string"}},
						"who":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}`),
				Output: envelope,
			},
			{
				Tool: "delete_object", GoName: "DeleteObject", ID: "delete_object", Document: "platform",
				Key: "DELETE /buckets/{bucket}/objects/{key}", Method: "DELETE", Path: "/buckets/{bucket}/objects/{key}",
				Scope: "files:write", Effect: "delete", Security: [][]string{},
				Parameters: []ir.Parameter{
					{Name: "bucket", Key: "bucket", GoName: "Bucket", GoType: "int64", In: "path", Required: true},
					{Name: "key", Key: "key", GoName: "Key", GoType: "string", In: "path", Required: true, AllowSlash: true},
				},
				Replies: []ir.Reply{{Status: "204"}},
				Input: node(t, `{"type":"object","properties":{"path":{"type":"object","properties":{
					"bucket":{"type":"integer"},"key":{"type":"string"}}}}}`),
				Output: envelope,
			},
			{
				Tool: "list_everything", GoName: "ListEverything", ID: "listEverything", Document: "platform",
				Key: "GET /everything", Method: "GET", Path: "/everything", Scope: "files:read", Effect: "read",
				Security: [][]string{{"bearer", "tls"}, {}},
				Replies:  []ir.Reply{{Status: "200", MediaType: "application/json", Def: "Ticket", GoType: "TicketModel"}},
				Input:    node(t, `{"type":"object","additionalProperties":false}`),
				Output:   envelope,
			},
			{
				Tool: "put_object", GoName: "PutObject", ID: "putObject", Document: "platform",
				Key: "PUT /buckets/{bucket}/objects", Method: "PUT", Path: "/buckets/{bucket}/objects",
				Scope: "files:write", Effect: "write", Reason: "stores a file",
				Parameters: []ir.Parameter{
					{Name: "bucket", Key: "bucket", GoName: "Bucket", GoType: "json.Number", In: "path", Required: true},
				},
				Body: &ir.Body{MediaType: "multipart/form-data", Form: "multipart", Required: true, Encoding: []ir.Encoding{
					{Member: "file", ContentType: "image/png, image/jpeg"},
					{Member: "labels", Style: "form", Explode: true, AllowReserved: true},
				}},
				Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Def: "Reply200"}},
				Input: node(t, `{"type":"object","properties":{
					"path":{"type":"object","properties":{"bucket":{"type":"number"}}},
					"body":{"type":"object","properties":{"file":{"type":"object"}}}}}`),
				Output: node(t, `{"type":"object","$defs":{"Reply200":{"type":"object","properties":{"size":{"type":"integer"}}}}}`),
			},
			{
				Tool:     "send_note_to_everybody_who_ever_had_anything_to_do_with_a_ticket",
				GoName:   "SendNoteToEverybodyWhoEverHadAnythingToDoWithATicket",
				ID:       "notes/an operation id that is longer than the line it stands on, as some documents really have them",
				Document: "platform", Key: "POST /notes", Method: "POST", Path: "/notes", Scope: "support:write", Effect: "write",
				Parameters: []ir.Parameter{{Name: "urgent", Key: "urgent", GoName: "Urgent", GoType: "bool", In: "query"}},
				Body:       &ir.Body{MediaType: "text/plain", Form: "text", Required: true},
				Replies:    []ir.Reply{{Status: "2XX", MediaType: "application/json", Def: "Reply2XX"}},
				Input:      node(t, `{"type":"object","properties":{"body":{"type":"string"}}}`),
				Output:     node(t, `{"type":"object","$defs":{"Reply2XX":{"type":"object","properties":{"sent":{"type":"integer"}}}}}`),
			},
		},
		Excluded: []ir.Excluded{{Document: "platform", Key: "POST /auth/login", Reason: "authentication"}},
	}
}

// desk is a catalog of a service's own methods.
func desk(t testing.TB) *ir.Catalog {
	return &ir.Catalog{
		Name: "desk", Binding: "handler", Input: "top", Result: "bare", Module: "example.com/shop",
		Documents: []*ir.Document{{Name: "desk", Package: "deskapi", Bundle: []byte("{}\n"), Server: true}},
		Operations: []*ir.Operation{
			{
				Tool: "draw_map", GoName: "DrawMap", ID: "draw_map", Document: "desk", Key: "GET /map", Method: "GET",
				Path: "/map", Scope: "desk:read", Effect: "read", Image: true,
				Replies: []ir.Reply{{Status: "200", MediaType: "image/png"}},
				Input:   node(t, `{"type":"object"}`), Output: node(t, `{"type":"object"}`),
			},
			{
				Tool: "forget", GoName: "Forget", ID: "forget", Document: "desk", Key: "POST /forget/{id}", Method: "POST",
				Path: "/forget/{id}", Scope: "desk:write", Effect: "delete", RPCOnly: true,
				Parameters: []ir.Parameter{
					{Name: "id", Key: "id", GoName: "ID", GoType: "json.Number", In: "path", Required: true},
				},
				Replies: []ir.Reply{{Status: "204"}},
				Input:   node(t, `{"type":"object"}`), Output: node(t, `{"type":"object"}`),
			},
			{
				Tool: "observe", GoName: "Observe", ID: "observe", Document: "desk", Key: "POST /observe", Method: "POST",
				Path: "/observe", Scope: "desk:read", Effect: "read", Raw: true,
				Body:    &ir.Body{MediaType: "application/json", Form: "json", Required: true},
				Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Def: "Observation"}},
				Input:   node(t, `{"type":"object"}`), Output: node(t, `{"type":"object"}`),
			},
			{
				Tool: "update_note", GoName: "UpdateNote", ID: "updateNote", Document: "desk",
				Key: "POST /projects/{project_id}/notes/{id}", Method: "POST", Path: "/projects/{project_id}/notes/{id}",
				Scope: "desk:write", Effect: "write",
				Parameters: []ir.Parameter{
					{Name: "id", Key: "id", GoName: "ID", GoType: "string", In: "path", Required: true},
					{Name: "project_id", Key: "project_id", GoName: "ProjectID", GoType: "string", In: "path", Required: true, Injected: true},
					{Name: "dry_run", Key: "dry_run", GoName: "DryRun", GoType: "bool", In: "query"},
				},
				Body:    &ir.Body{MediaType: "application/json", Form: "json", GoType: "UpdateNoteBodyModel"},
				Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Def: "Note", GoType: "NoteModel"}},
				Input: node(t, `{"type":"object","properties":{"id":{"type":"string"},"dry_run":{"type":"boolean"},
					"text":{"type":"string"}},"required":["id"]}`),
				Output: node(t, `{"type":"object"}`),
			},
		},
	}
}
