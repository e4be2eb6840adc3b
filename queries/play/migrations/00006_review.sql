-- +goose Up

-- What waits for a game master's decision, in the order in which it was proposed.
CREATE INDEX consequence_waiting ON play.consequence (assignment_id, version, position) WHERE status = 'pending';
