package assignment_test

import "context"

// invariant names what must hold of a session at any time and does not.
const invariant = `
	SELECT concat_ws('; ',
		CASE WHEN (SELECT array_agg(version ORDER BY version) FROM play.event WHERE assignment_id = a.id)
			IS DISTINCT FROM (SELECT array_agg(v) FROM generate_series(2, a.version) AS v)
			THEN 'the events have gaps or doubles, or end elsewhere' END,
		CASE WHEN (SELECT array_agg((version, kind)::text ORDER BY version) FROM play.event WHERE assignment_id = a.id)
			IS DISTINCT FROM (SELECT array_agg((version, kind)::text ORDER BY version) FROM play.receipt WHERE assignment_id = a.id)
			THEN 'the receipts are not those of the events' END,
		CASE WHEN EXISTS (SELECT FROM play.receipt WHERE assignment_id = a.id AND (result ->> 'version')::bigint <> version)
			THEN 'a receipt tells another version' END,
		CASE WHEN EXISTS (
			SELECT FROM play.receipt AS r WHERE r.assignment_id = a.id AND r.kind = 'turn'
			AND (SELECT array_agg(c.id::text ORDER BY c.position) FROM play.consequence AS c
				WHERE c.assignment_id = a.id AND c.version = r.version)
			IS DISTINCT FROM (SELECT array_agg(x ->> 'id') FROM json_array_elements(r.result -> 'consequences') AS x)
		) THEN 'a receipt tells other consequences' END,
		CASE WHEN a.pending <> (SELECT count(*) FROM play.consequence WHERE assignment_id = a.id AND status = 'pending')
			THEN 'pending is counted wrongly' END,
		CASE WHEN (SELECT count(*) FROM play.event WHERE assignment_id = a.id AND kind = 'finish')
			<> CASE a.status WHEN 'completed' THEN 1 ELSE 0 END
			THEN 'it is not as finished as it says' END,
		CASE WHEN EXISTS (
			SELECT FROM play.event AS t JOIN play.event AS f ON f.assignment_id = t.assignment_id AND f.version < t.version
			WHERE t.assignment_id = a.id AND t.kind = 'turn' AND f.kind = 'finish'
		) THEN 'a turn follows the finish' END,
		CASE WHEN (SELECT array_agg((version, rank)::text) FROM (
				SELECT version, row_number() OVER (ORDER BY version) AS rank FROM play.event
				WHERE assignment_id = a.id AND kind <> 'review' ORDER BY version) AS e)
			IS DISTINCT FROM (SELECT array_agg((version, number)::text ORDER BY version) FROM play.event_text WHERE assignment_id = a.id)
			THEN 'what can be found is not the journal' END,
		CASE WHEN EXISTS (SELECT FROM play.event AS e WHERE e.assignment_id = a.id AND e.version = (
				SELECT max(version) FROM play.event WHERE assignment_id = a.id AND kind = 'turn')
			AND (e.scene <> a.current_scene OR e.narration <> a.memory))
			THEN 'memory and scene are not those of the last turn' END)
	FROM play.assignment AS a WHERE a.id = $1`

// holds sees that a session is whole. Its turns have the memory for narration.
func (b table) holds() {
	b.t.Helper()
	var problems string
	if err := b.pool.QueryRow(context.Background(), invariant, b.id).Scan(&problems); err != nil {
		b.t.Fatal(err)
	}
	if problems != "" {
		b.t.Errorf("session %s: %s", b.id, problems)
	}
}
