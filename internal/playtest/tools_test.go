package playtest

import "github.com/google/uuid"

// playTools are the arguments of the tools of a play token.
var playTools = map[string]func(subject) object{
	"get_play_context":  func(subject) object { return object{} },
	"read_play_journal": func(subject) object { return object{"limit": 20} },
	"search_play_memory": func(s subject) object {
		if s.unknown {
			return object{"query": s.owns[s.play.gm].hidden[:4]} // the beginning of what is not to be found
		}
		return object{"query": s.text}
	},
	"commit_play_turn": func(s subject) object {
		scene := "harbor"
		if s.unknown {
			scene = s.owns[s.play.gm].hidden
		}
		return object{
			"operation_id": s.freshOperation(), "expected_version": s.number(s.version()), "player_action": s.text, "narration": s.text,
			"memory_markdown": s.text, "current_scene": scene, "consequences": []object{{"category": "narrative", "description": s.text}},
		}
	},
	"finish_play_session": func(s subject) object {
		return object{"operation_id": s.freshOperation(), "expected_version": s.number(s.version()), "summary": s.text}
	},
}

// freshOperation is an identifier of a new operation, or that of an operation
// which was another.
func (s subject) freshOperation() string {
	s.t.Helper()
	if !s.taken {
		return uuid.NewString()
	}
	var id string
	ok(s.t, s.pool.QueryRow(s.t.Context(),
		"SELECT operation_id::text FROM play.receipt WHERE assignment_id = $1 AND kind = 'review' LIMIT 1", s.play.id).Scan(&id))
	return id
}

// authorTools are the arguments of the tools of a personal token.
var authorTools = map[string]func(subject) object{
	"list_scenarios": func(subject) object { return object{} },
	"get_scenario":   func(s subject) object { return object{"scenario_id": s.scenario()} },
	"create_scenario": func(s subject) object {
		return object{"id": s.fresh(s.owns[s.play.gm].scenario), "title": s.text, "language": "en"}
	},
	"create_scenario_version": func(s subject) object {
		return object{"scenario_id": s.id(s.published()), "expected_latest": s.number(1)}
	},
	"publish_scenario_version": func(s subject) object {
		id, revision := s.draft()
		return object{"scenario_id": s.id(id), "version": 1, "expected_revision": s.number(revision)}
	},
	"list_scenario_nodes": func(s subject) object { return object{"scenario_id": s.scenario(), "version": s.readVersion()} },
	"get_scenario_node": func(s subject) object {
		return object{"scenario_id": s.scenario(), "version": s.readVersion(), "node_id": s.readNode()}
	},
	"create_scenario_node": func(s subject) object {
		return object{"scenario_id": s.scenario(), "version": 2, "id": s.freshSlug("harbor"), "kind": "clue", "title": s.text}
	},
	"update_scenario_node": func(s subject) object {
		return object{
			"scenario_id": s.scenario(), "version": 2, "node_id": s.node(), "expected_revision": s.number(1), "kind": "clue",
			"title": s.text, "body": "", "gm_notes": "",
		}
	},
	"delete_scenario_node": func(s subject) object {
		return object{"scenario_id": s.scenario(), "version": 2, "node_id": s.node(), "expected_revision": s.number(1)}
	},
	"list_wiki_pages": func(subject) object { return object{} },
	"read_wiki_page":  func(s subject) object { return object{"id": s.readPage()} },
	"search_wiki":     func(subject) object { return object{"query": "z"} },
	"create_wiki_page": func(s subject) object {
		slug := s.freshSlug("")
		if s.taken {
			slug = s.page()
		}
		return object{"id": slug, "title": s.text, "body": ""}
	},
	"update_wiki_page": func(s subject) object {
		return object{"id": s.page(), "expected_revision": s.number(1), "title": s.text, "body": ""}
	},
	"delete_wiki_page": func(s subject) object { return object{"id": s.page(), "expected_revision": s.number(1)} },
}
