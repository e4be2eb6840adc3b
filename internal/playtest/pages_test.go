package playtest

import (
	"fmt"

	"github.com/google/uuid"
)

// playPages are the requests of the pages of plays, and of those of everybody.
var playPages = map[string]func(subject) request{
	"GET /":       func(subject) request { return get("/") },
	"GET /login/": func(s subject) request { return get("/login/?next=" + s.playURL()) },
	"POST /login/": func(s subject) request {
		return form("/login/", "username", s.visitor(), "password", everybodysPassword)
	},
	"POST /logout/":    func(subject) request { return form("/logout/") },
	"POST /language/":  func(s subject) request { return form("/language/", "language", "pl", "back", s.playURL()) },
	"GET /account/":    func(subject) request { return get("/account/") },
	"GET /plays/":      func(subject) request { return get("/plays/") },
	"GET /plays/new/":  func(s subject) request { return get("/plays/new/?version=1&scenario=" + s.scenario()) },
	"POST /plays/new/": newPlay,
	"GET /plays/{play}/": func(s subject) request {
		s.waiting()
		return get(s.playURL())
	},
	"GET /plays/{play}/token/":         func(s subject) request { return get(s.playURL() + "token/") },
	"POST /plays/{play}/token/":        func(s subject) request { return form(s.playURL() + "token/") },
	"POST /plays/{play}/token/revoke/": func(s subject) request { return form(s.playURL() + "token/revoke/") },
	"GET /plays/{play}/journal/":       func(s subject) request { return get(s.playURL() + "journal/") },
	"GET /plays/{play}/report/":        func(s subject) request { return get(s.playURL() + "report/?lang=en") },
	"GET /plays/{play}/review/": func(s subject) request {
		s.waiting()
		return get(s.playURL() + "review/")
	},
	"POST /plays/{play}/review/": func(s subject) request {
		consequence, version := s.waiting()
		return form(s.playURL()+"review/", "operation", uuid.NewString(), "version", fmt.Sprint(version),
			"consequence", consequence, "decision-"+consequence, "rejected", "note-"+consequence, s.text)
	},
}

func newPlay(s subject) request {
	return form("/plays/new/", "scenario", s.scenario(), "version", fmt.Sprint(s.number(1)), "id", s.fresh(s.play.id),
		"player", s.people[s.play.player].Username, "mode", "downtime", "language", "en", "character", s.text, "brief", s.text,
		"boundaries", s.text, "return_condition", s.text, "node", "harbor")
}

// authorPages are the requests of the pages of who owns a scenario.
var authorPages = map[string]func(subject) request{
	"GET /scenarios/":     func(subject) request { return get("/scenarios/") },
	"GET /scenarios/new/": func(subject) request { return get("/scenarios/new/") },
	"POST /scenarios/new/": func(s subject) request {
		return form("/scenarios/new/", "id", s.fresh(s.owns[s.play.gm].scenario), "title", s.text, "language", "en")
	},
	"GET /scenarios/{scenario}/": func(s subject) request { return get(s.storyURL()) },
	"POST /scenarios/{scenario}/versions/": func(s subject) request {
		return form("/scenarios/"+s.id(s.published())+"/versions/", "latest", fmt.Sprint(s.number(1)))
	},
	"GET /scenarios/{scenario}/versions/{version}/": func(s subject) request { return get(s.versionURL(s.readVersion())) },
	"POST /scenarios/{scenario}/versions/{version}/publish/": func(s subject) request {
		id, revision := s.draft()
		return form("/scenarios/"+s.id(id)+"/versions/1/publish/", "revision", fmt.Sprint(s.number(revision)))
	},
	"GET /scenarios/{scenario}/versions/{version}/add/": func(s subject) request { return get(s.versionURL(2) + "add/") },
	"POST /scenarios/{scenario}/versions/{version}/add/": func(s subject) request {
		return form(s.versionURL(2)+"add/", "id", s.freshSlug("harbor"), "kind", "npc", "title", s.text)
	},
	"GET /scenarios/{scenario}/versions/{version}/nodes/{node}/": func(s subject) request {
		return get(s.versionURL(s.readVersion()) + "nodes/" + s.readNode() + "/")
	},
	"GET /scenarios/{scenario}/versions/{version}/nodes/{node}/edit/": func(s subject) request {
		return get(s.versionURL(2) + "nodes/" + s.node() + "/edit/")
	},
	"POST /scenarios/{scenario}/versions/{version}/nodes/{node}/edit/": func(s subject) request {
		return form(s.versionURL(2)+"nodes/"+s.node()+"/edit/", "revision", fmt.Sprint(s.number(1)), "kind", "npc", "title", s.text)
	},
	"GET /scenarios/{scenario}/versions/{version}/nodes/{node}/delete/": func(s subject) request {
		return get(s.versionURL(2) + "nodes/" + s.node() + "/delete/")
	},
	"POST /scenarios/{scenario}/versions/{version}/nodes/{node}/delete/": func(s subject) request {
		return form(s.versionURL(2)+"nodes/"+s.node()+"/delete/", "revision", fmt.Sprint(s.number(1)))
	},

	"GET /wiki/":     func(subject) request { return get("/wiki/") },
	"GET /wiki/new/": func(subject) request { return get("/wiki/new/") },
	"POST /wiki/new/": func(s subject) request {
		slug := s.freshSlug("")
		if s.taken {
			slug = s.page()
		}
		return form("/wiki/new/", "id", slug, "title", s.text)
	},
	"GET /wiki/pages/{page}/":      func(s subject) request { return get("/wiki/pages/" + s.readPage() + "/") },
	"GET /wiki/pages/{page}/edit/": func(s subject) request { return get("/wiki/pages/" + s.readPage() + "/edit/") },
	"POST /wiki/pages/{page}/edit/": func(s subject) request {
		return form("/wiki/pages/"+s.page()+"/edit/", "revision", fmt.Sprint(s.number(1)), "title", s.text)
	},
	"GET /wiki/pages/{page}/delete/": func(s subject) request { return get("/wiki/pages/" + s.readPage() + "/delete/") },
	"POST /wiki/pages/{page}/delete/": func(s subject) request {
		return form("/wiki/pages/"+s.page()+"/delete/", "revision", fmt.Sprint(s.number(1)))
	},

	"GET /tokens/":       func(subject) request { return get("/tokens/") },
	"GET /tokens/issue/": func(subject) request { return get("/tokens/issue/") },
	"POST /tokens/issue/": func(s subject) request {
		s.room()
		return form("/tokens/issue/", "id", s.fresh(s.ownToken()), "name", s.text)
	},
	"POST /tokens/{token}/revoke/": func(s subject) request { return form("/tokens/" + s.id(s.token()) + "/revoke/") },
}
