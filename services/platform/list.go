package platform

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The sizes of a page.
const (
	defaultPage = 20
	maxPage     = 100
)

// Page says which part of a list is asked for.
type Page struct {
	Limit  int64  // 0 for the default
	Cursor string // "" for the beginning
}

// bounds returns the limit and the place, counted from 0, after which the page
// begins; the place is before where there is no cursor.
func (p Page) bounds(before int) (limit, after int, err error) {
	limit = defaultPage
	if p.Limit != 0 {
		if p.Limit < 1 || p.Limit > maxPage {
			return 0, 0, fault.Newf(fault.Invalid, "limit must be from 1 to %d", maxPage)
		}
		limit = int(p.Limit)
	}
	if p.Cursor == "" {
		return limit, before, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	after, bad := strconv.Atoi(string(text))
	if err != nil || bad != nil || after < 0 || cursor(after) != p.Cursor {
		return 0, 0, fault.New(fault.Invalid, "cursor is not the next_cursor of a page")
	}
	return limit, after, nil
}

// cursor names the place after which a page begins. It is opaque so that nobody
// counts on what is in it.
func cursor(after int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(after)))
}

// List returns a page of tickets, newest first, all or those with a status, and
// the cursor of the next page or "".
func (s *Service) List(status string, p Page) (page []Ticket, next string, err error) {
	if status != "" && status != open && status != closed {
		return nil, "", fault.New(fault.Invalid, "status must be open or closed")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	limit, after, err := p.bounds(len(s.order))
	if err != nil {
		return nil, "", err
	}
	page = []Ticket{}
	for i := min(after, len(s.order)) - 1; i >= 0; i-- {
		t := s.order[i]
		if status != "" && t.Status != status {
			continue
		}
		if len(page) == limit {
			return page, cursor(i + 1), nil
		}
		page = append(page, t.Ticket)
	}
	return page, "", nil
}

// Comments returns a page of a ticket's comments, oldest first, and the cursor
// of the next page or "".
func (s *Service) Comments(id string, p Page) (page []Comment, next string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.find(id)
	if err != nil {
		return nil, "", err
	}
	limit, after, err := p.bounds(0)
	if err != nil {
		return nil, "", err
	}
	after = min(after, len(t.comments))
	end := min(after+limit, len(t.comments))
	if end < len(t.comments) {
		next = cursor(end)
	}
	return append([]Comment{}, t.comments[after:end]...), next, nil
}

// Transcript writes a ticket and its comments as one text.
func (s *Service) Transcript(id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.find(id)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, revision %d, since %s\n\n%s\n",
		t.Title, t.Status, t.Revision, t.CreatedAt.Format(time.RFC3339), t.Body)
	for _, c := range t.comments {
		fmt.Fprintf(&b, "\n#%d at %s\n%s\n", c.Number, c.CreatedAt.Format(time.RFC3339), c.Body)
	}
	return b.String(), nil
}
