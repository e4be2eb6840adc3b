package playtest

import (
	"net/http"

	"github.com/google/uuid"
)

// operations are the requests of the REST interface.
var operations = map[string]func(subject) request{
	"GET /api/session/":    func(subject) request { return get("/api/session/") },
	"DELETE /api/session/": func(subject) request { return request{method: http.MethodDelete, path: "/api/session/"} },
	"POST /api/session/": func(s subject) request {
		return post("/api/session/", object{"username": s.visitor(), "password": everybodysPassword})
	},
	"GET /api/plays/": func(subject) request { return get("/api/plays/") },
	"POST /api/plays/": func(s subject) request {
		return post("/api/plays/", object{
			"id": s.fresh(s.play.id), "scenario_id": s.scenario(), "source_version": s.number(1),
			"player_username": s.people[s.play.player].Username, "mode": "solo", "language": "pl", "character": s.text, "brief": s.text,
			"boundaries": s.text, "return_condition": s.text, "published_node_ids": []string{"harbor"},
		})
	},
	"GET /api/plays/{id}/":         func(s subject) request { return get(s.playAPI()) },
	"POST /api/plays/{id}/access/": func(s subject) request { return request{method: http.MethodPost, path: s.playAPI() + "access/"} },
	"DELETE /api/plays/{id}/access/": func(s subject) request {
		return request{method: http.MethodDelete, path: s.playAPI() + "access/"}
	},
	"GET /api/plays/{id}/journal/":      func(s subject) request { return get(s.playAPI() + "journal/?limit=20") },
	"GET /api/plays/{id}/consequences/": func(s subject) request { return get(s.playAPI() + "consequences/?offset=0") },
	"GET /api/plays/{id}/report/":       func(s subject) request { return get(s.playAPI() + "report/?lang=pl") },
	"POST /api/plays/{id}/review/": func(s subject) request {
		consequence, version := s.waiting()
		return post(s.playAPI()+"review/", object{
			"operation_id": uuid.NewString(), "expected_version": version,
			"decisions": []object{{"id": consequence, "decision": "approved", "note": s.text}},
		})
	},
}

// otherRoutes are those of nobody in particular.
var otherRoutes = map[string]func(subject) request{
	"GET /healthz": func(subject) request { return get("/healthz") },
	"GET /readyz":  func(subject) request { return get("/readyz") },
}
