package party_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/platform/party"
)

// project makes a project with members.
func (d *door) project(t *testing.T, members ...party.Resolved) {
	t.Helper()
	id := uuid.New()
	_, err := d.pool.Exec(t.Context(), `INSERT INTO platform.project
		(id, slug, name, description, state, members, revision, created_by, created_at, updated_at)
		VALUES ($1::uuid, 'a' || left($1::uuid::text, 8), 't', '', 'active', $2, 1, $3, now(), now())`, id, len(members), members[0].Party)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		_, err := d.pool.Exec(t.Context(), `INSERT INTO platform.member (project_id, party_id, role, added_at)
			VALUES ($1, $2, 'member', now())`, id, m.Party)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// clause: E-40, E-42
func TestPeers(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	me, eve, bob, zoe := d.user(t, "ada"), d.user(t, "eve"), d.user(t, "bob"), d.user(t, "zoe")
	b := d.login(t, "ada", password)
	b.want(t, "GET", "/parties", "", 200, `{"items":[{"affiliation":"Example University","display_name":"Ada Byron","id":"`+
		me.Party.String()+`","username":"ada"}]}`)
	b.want(t, "GET", "/parties/"+me.Party.String(), "", 200, `"username":"ada"}`)
	b.want(t, "GET", "/parties/"+eve.Party.String(), "", 404, `{"code":"not_found","title":"there is no such person"}`)
	b.want(t, "GET", "/parties/"+uuid.NewString(), "", 404, `{"code":"not_found","title":"there is no such person"}`)
	b.want(t, "GET", "/parties/ADA", "", 400, "UUID")

	d.project(t, me, eve, bob)
	d.project(t, me, eve)
	d.project(t, bob, zoe) // zoe shares a project with bob alone
	b.want(t, "GET", "/parties/"+eve.Party.String(), "", 200, `"username":"eve"}`)
	b.want(t, "GET", "/parties/"+zoe.Party.String(), "", 404, "there is no such person")
	usernames := func(text string) string {
		var names []string
		for _, part := range strings.Split(text, `"username":"`)[1:] {
			names = append(names, part[:strings.Index(part, `"`)])
		}
		return strings.Join(names, " ")
	}
	text := b.want(t, "GET", "/parties?limit=2", "", 200, "next_cursor")
	cursor := field(t, text, "next_cursor")
	rest := b.want(t, "GET", "/parties?limit=2&cursor="+cursor, "", 200, "")
	if got, want := usernames(text)+", "+usernames(rest), "ada bob, eve"; got != want || strings.Contains(rest, "next_cursor") {
		t.Errorf("the people are %s, want %s", got, want)
	}
	if got := usernames(b.want(t, "GET", "/parties?prefix=e", "", 200, "")); got != "eve" {
		t.Errorf("with the prefix: %s, want eve", got)
	}
	b.want(t, "GET", "/parties?prefix=e&cursor="+cursor, "", 400, "other filters")
}

// clause: E-41
func TestUpdate(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.user(t, "ada")
	b := d.login(t, "ada", password)
	const key1, key2, key3 = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	patch := func(key, revision, body string, status int, says string) {
		t.Helper()
		b.header = keyed(key, revision)
		b.want(t, "PATCH", "/parties/me", body, status, says)
		b.header = nil
	}
	patch(key1, `"1"`, `{"display_name":"Ada Lovelace"}`, 200, `"status":"applied","version":2}`)
	patch(key1, `"1"`, `{"display_name":"Ada Lovelace"}`, 200, `"status":"applied","version":2}`)
	patch(key1, "2", `{"display_name":"Ada Lovelace"}`, 409, "idempotency_key_reuse")
	patch(key2, "1", `{"affiliation":""}`, 409, `"rejection":"stale_revision","status":"rejected","version":2}`)
	patch(key3, "2", `{"affiliation":""}`, 200, `"version":3}`)
	patch(key3, "x", `{"affiliation":""}`, 400, "If-Match")
	patch(uuid.NewString(), "3", `{"display_name":""}`, 400, "display_name")
	patch(uuid.NewString(), "3", `{"affiliation":"`+strings.Repeat("é", 201)+`"}`, 400, "affiliation")
	patch(uuid.NewString(), "3", `{"affiliation":"`+strings.Repeat("é", 200)+`","display_name":"`+strings.Repeat("é", 120)+`"}`, 200, `"version":4}`)
	_, text, header := b.send(t, "GET", "/parties/me", "")
	if header.Get("ETag") != `"4"` || !strings.Contains(text, `"revision":4`) {
		t.Errorf("ETag %s: %s", header.Get("ETag"), text)
	}
	statuses := make([]string, 16)
	var wg sync.WaitGroup
	for i := range statuses {
		wg.Go(func() {
			one := *b
			one.header = keyed("44444444-4444-4444-8444-444444444444", "4")
			status, text, _ := one.send(t, "PATCH", "/parties/me", `{"display_name":"A"}`)
			statuses[i] = fmt.Sprint(status, text)
		})
	}
	wg.Wait()
	for _, s := range statuses {
		if s != statuses[0] || !strings.Contains(s, `"version":5`) {
			t.Errorf("one of 16 identical commands: %s", s)
		}
	}
}
