package wiki

import "time"

// The bounds of pages; the schema holds them too.
const (
	MaxPages   = 2000  // of an owner
	MaxTitle   = 200   // characters
	MaxBody    = 16000 // characters, from 0
	MaxQuery   = 200   // characters of what is searched for
	MaxHits    = 20    // of a search
	MaxExcerpt = 240   // characters of the excerpt of a hit
	MaxPage    = 500   // pages in a part of the list
)

// Page is a page of an author's wiki.
type Page struct {
	ID        string // a slug, the owner's name for it
	Title     string
	Body      string // Markdown; empty in a list
	Revision  int64  // from 1; one more with every change
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Hit is a page that contains what was searched for.
type Hit struct {
	ID      string
	Title   string
	Excerpt string // of the body around the first match, or its beginning
}
