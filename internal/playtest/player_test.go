package playtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// forgetful loses replies, one in so many.
type forgetful struct {
	one  int
	over http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (f forgetful) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := f.over.RoundTrip(r)
	if err == nil && rand.IntN(f.one) == 0 {
		_ = reply.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	return reply, err
}

// player plays a session with go-sdk's client, and repeats what was not
// answered, to the letter, until it is.
type player struct {
	seat
	era     string
	url     func() string // of the process, now
	version int64
	written []written // each once, in the order of versions

	// over carries its requests; nil is what does.
	over    http.RoundTripper
	gm      string // the cookie of the game master, for reviews
	session *mcp.ClientSession
	at      string // the URL that it is with
	unsure  int    // how often it did not learn what became of a write
	found   int    // how often a repetition found what it had written
}

// written is a write that was acknowledged.
type written struct {
	operation uuid.UUID
	tool      string
	arguments map[string]any
	result    map[string]any // without "replayed"
}

// errTold is an answer that is none for the time being: an error of a tool, by
// its status.
var errTold = errors.New("the tool said")

// reviewed is what a written one of the game master is called among those of tools.
const reviewed = "review"

// try calls a tool once.
func (p *player) try(ctx context.Context, tool string, arguments any) (map[string]any, error) {
	at := p.url()
	if tool == reviewed {
		return p.review(ctx, at, arguments)
	}
	if p.session == nil || p.at != at {
		p.hangUp()
		over := p.over
		if over == nil {
			over = http.DefaultTransport
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
			Endpoint: at + "/play/mcp", HTTPClient: &http.Client{Transport: bearer{p.token, over}}, MaxRetries: -1,
		}, &mcp.ClientSessionOptions{ProtocolVersion: p.era})
		if err != nil {
			return nil, err
		}
		p.session, p.at = session, at
	}
	got, err := p.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		p.hangUp()
		return nil, err
	}
	if got.IsError {
		return nil, fmt.Errorf("%w %s", errTold, got.Content[0].(*mcp.TextContent).Text)
	}
	return got.StructuredContent.(map[string]any), nil
}

// review decides as the game master does, over REST.
func (p *player) review(ctx context.Context, url string, decisions any) (result map[string]any, err error) {
	body, err := json.Marshal(decisions)
	if err != nil {
		return nil, err
	}
	url += "/api/plays/" + p.seat.session.String() + "/review/"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{"Cookie": {p.gm}, "Content-Type": {"application/json"}}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("%w %d: %s", errTold, got.StatusCode, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	return result, err
}

// passing tells that an answer says nothing of the write: the same again is to
// find out.
func passing(err error) bool {
	return !errors.Is(err, errTold) || strings.Contains(err.Error(), " 503: ") || strings.Contains(err.Error(), " 504: ")
}

func (p *player) hangUp() {
	if p.session != nil {
		_ = p.session.Close()
		p.session = nil
	}
}

// write calls a tool until it is answered, and keeps what it wrote. The answer
// must be the one that the session's version asks for.
func (p *player) write(ctx context.Context, tool string, arguments map[string]any) error {
	for {
		result, err := p.try(ctx, tool, arguments)
		switch {
		case err == nil:
			if result["version"] != float64(p.version+1) {
				return fmt.Errorf("%s at version %d: %v", tool, p.version, result)
			}
			if result["replayed"] == true {
				p.found++
			}
			delete(result, "replayed")
			p.version++
			id, err := uuid.Parse(arguments["operation_id"].(string))
			p.written = append(p.written, written{id, tool, arguments, result})
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case !passing(err):
			return fmt.Errorf("%s at version %d: %w", tool, p.version, err)
		}
		p.unsure++
		time.Sleep(5 * time.Millisecond) // a client's own patience, shortened
	}
}

// again repeats a write that was acknowledged, and must get its receipt.
func (p *player) again(ctx context.Context, w written) error {
	for {
		result, err := p.try(ctx, w.tool, w.arguments)
		switch {
		case err == nil:
			if result["replayed"] != true {
				return fmt.Errorf("%s was written again: %v", w.tool, result)
			}
			delete(result, "replayed")
			if diff := cmp.Diff(w.result, result); diff != "" {
				return fmt.Errorf("%s, repeated (-want +got):\n%s", w.tool, diff)
			}
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !passing(err):
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// last is what was written last.
func (p *player) last() written { return p.written[len(p.written)-1] }

// check holds what is in the database against what was acknowledged: every
// version once, by the operation that was told so, with the receipt that it got.
func (p *player) check(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	type row struct {
		Version   int64
		Operation uuid.UUID
		Event     string
	}
	want, got := []row{}, []row{}
	for i, w := range p.written {
		kind := map[string]string{"commit_play_turn": "turn", "finish_play_session": "finish", reviewed: "review"}[w.tool]
		want = append(want, row{int64(i) + 2, w.operation, kind})
	}
	rows, err := pool.Query(t.Context(), `SELECT e.version, r.operation_id, e.kind
		FROM play.event AS e FULL JOIN play.receipt AS r ON r.assignment_id = e.assignment_id AND r.version = e.version
		WHERE coalesce(e.assignment_id, r.assignment_id) = $1 ORDER BY e.version`, p.seat.session)
	if err != nil {
		t.Fatal(err)
	}
	var r row
	for rows.Next() {
		if err := rows.Scan(&r.Version, &r.Operation, &r.Event); err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if diff := cmp.Diff(want, got); diff != "" || rows.Err() != nil {
		t.Errorf("%v; the versions of the session (-acknowledged +there):\n%s", rows.Err(), diff)
	}
	var version, consequences int64
	err = pool.QueryRow(t.Context(), `SELECT a.version, (SELECT count(*) FROM play.consequence WHERE assignment_id = a.id)
		FROM play.assignment AS a WHERE a.id = $1`, p.seat.session).Scan(&version, &consequences)
	turns := int64(0)
	for _, w := range p.written {
		if w.tool == "commit_play_turn" {
			turns++
		}
	}
	if err != nil || version != p.version || consequences != turns {
		t.Errorf("version %d with %d consequences, %v; want %d with %d", version, consequences, err, p.version, turns)
	}
}
