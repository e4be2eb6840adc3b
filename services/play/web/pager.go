package web

import (
	"fmt"
	"net/url"
	"strconv"
)

// pager leads through a list of several pages. One page has none.
type pager struct {
	Label, Range          string
	First, Previous, Next string // addresses, or ""
	FirstText             string
	PreviousText          string
	NextText              string
}

// pager makes the one of a list, of which a page begins at offset and has size
// entries. The place is the id of the list on the page.
func (v *visit) pager(total, offset, size int, place string) pager {
	if total <= size && offset == 0 {
		return pager{}
	}
	s := &v.words.Site
	p := pager{Label: s.Pages, FirstText: s.First, PreviousText: s.Previous, NextText: s.Next}
	if offset < total {
		p.Range = fmt.Sprintf(s.Range, offset+1, min(offset+size, total), total)
	} else {
		p.Range = fmt.Sprintf(s.Range, 0, 0, total)
	}
	at := func(offset int) string {
		query := url.Values{}
		for name, values := range v.query {
			if name != "offset" && name != "done" {
				query[name] = values
			}
		}
		if offset > 0 {
			query.Set("offset", strconv.Itoa(offset))
		}
		return v.r.URL.Path + "?" + query.Encode() + "#" + place
	}
	if offset > 0 {
		p.First, p.Previous = at(0), at(max(0, offset-size))
	}
	if offset+size < total {
		p.Next = at(offset + size)
	}
	return p
}
