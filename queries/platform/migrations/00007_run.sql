-- +goose Up

-- An executor is a process that executes runs. It lives for as long as it moves
-- alive_until on; after that, others take its runs up again.
CREATE TABLE platform.executor (
    id          uuid        NOT NULL,
    name        text        NOT NULL,
    slots       bigint      NOT NULL,
    started_at  timestamptz NOT NULL,
    alive_until timestamptz NOT NULL,
    CONSTRAINT executor_pkey PRIMARY KEY (id),
    CONSTRAINT executor_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT executor_slots_range CHECK (slots BETWEEN 1 AND 64)
);

CREATE INDEX executor_by_life ON platform.executor (alive_until, id);

-- A run executes one version of a pipeline. What is written for its executor
-- names the lease, which is another one each time that the run is taken up.
CREATE TABLE platform.run (
    id           uuid        NOT NULL,
    project_id   uuid        NOT NULL,
    pipeline_id  uuid        NOT NULL,
    version      bigint      NOT NULL,
    queue        text        NOT NULL, -- a name in platform.hpc_queue, which a later migration makes
    parameters   jsonb       NOT NULL,
    state        text        NOT NULL,
    reason       text        NOT NULL, -- why it failed, or empty
    revision     bigint      NOT NULL, -- the number of commands on it
    attempt      bigint      NOT NULL, -- raised by each retry
    taken        bigint      NOT NULL, -- how often executors have taken this attempt up and kept it
    steps        bigint      NOT NULL,
    steps_done   bigint      NOT NULL, -- of this attempt
    executor_id  uuid,
    lease        uuid,
    submitted_by uuid        NOT NULL,
    created_at   timestamptz NOT NULL,
    queued_at    timestamptz NOT NULL,
    started_at   timestamptz,
    finished_at  timestamptz,
    CONSTRAINT run_pkey PRIMARY KEY (id),
    CONSTRAINT run_project_id_fkey FOREIGN KEY (project_id) REFERENCES platform.project (id),
    CONSTRAINT run_version_fkey FOREIGN KEY (pipeline_id, version) REFERENCES platform.pipeline_version (pipeline_id, number),
    CONSTRAINT run_executor_id_fkey FOREIGN KEY (executor_id) REFERENCES platform.executor (id),
    CONSTRAINT run_submitted_by_fkey FOREIGN KEY (submitted_by) REFERENCES platform.party (id),
    CONSTRAINT run_queue_length CHECK (char_length(queue) BETWEEN 1 AND 40),
    CONSTRAINT run_parameters_object CHECK (jsonb_typeof(parameters) = 'object'),
    CONSTRAINT run_state_known CHECK (state IN ('queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled')),
    CONSTRAINT run_reason_length CHECK (char_length(reason) <= 500),
    CONSTRAINT run_reason_by_state CHECK ((state = 'failed') = (reason <> '')),
    CONSTRAINT run_revision_positive CHECK (revision >= 1),
    CONSTRAINT run_attempt_range CHECK (attempt BETWEEN 1 AND 20),
    CONSTRAINT run_taken_natural CHECK (taken >= 0),
    CONSTRAINT run_steps_range CHECK (steps BETWEEN 1 AND 50),
    CONSTRAINT run_steps_done_range CHECK (steps_done BETWEEN 0 AND steps),
    CONSTRAINT run_succeeded_whole CHECK (state <> 'succeeded' OR steps_done = steps),
    CONSTRAINT run_executor_by_state CHECK ((state IN ('running', 'cancelling')) = (executor_id IS NOT NULL)),
    CONSTRAINT run_lease_by_executor CHECK ((executor_id IS NULL) = (lease IS NULL)),
    CONSTRAINT run_finished_by_state CHECK ((state IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL))
);

-- The ways that lists go, the newest first.
CREATE INDEX run_of_project ON platform.run (project_id, created_at, id);
CREATE INDEX run_of_project_by_state ON platform.run (project_id, state, created_at, id);
CREATE INDEX run_of_pipeline ON platform.run (pipeline_id, created_at, id);
CREATE INDEX run_of_pipeline_by_state ON platform.run (pipeline_id, state, created_at, id);
-- The queues, what goes on out of them, and what an executor holds.
CREATE INDEX run_queued ON platform.run (queue, queued_at, id) WHERE state = 'queued';
CREATE INDEX run_going_on ON platform.run (queue) WHERE executor_id IS NOT NULL;
CREATE INDEX run_held ON platform.run (executor_id, id) WHERE executor_id IS NOT NULL;

CREATE TABLE platform.run_step (
    run_id      uuid        NOT NULL,
    attempt     bigint      NOT NULL,
    number      bigint      NOT NULL,
    name        text        NOT NULL,
    kind        text        NOT NULL,
    failed      boolean     NOT NULL,
    output      text        NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    CONSTRAINT run_step_pkey PRIMARY KEY (run_id, attempt, number),
    CONSTRAINT run_step_run_id_fkey FOREIGN KEY (run_id) REFERENCES platform.run (id) ON DELETE CASCADE,
    CONSTRAINT run_step_number_positive CHECK (number >= 1),
    CONSTRAINT run_step_name_length CHECK (char_length(name) BETWEEN 1 AND 40),
    CONSTRAINT run_step_kind_known CHECK (kind IN ('echo', 'hash', 'wait', 'fail')),
    CONSTRAINT run_step_output_length CHECK (octet_length(output) <= 16384)
);

-- A feed numbers what happens to the runs of one party. Its row stays locked
-- until the transaction ends, so that numbers become visible in their order and
-- who goes on after one misses nothing.
CREATE TABLE platform.run_feed (
    party_id uuid   NOT NULL,
    sequence bigint NOT NULL,
    CONSTRAINT run_feed_pkey PRIMARY KEY (party_id),
    CONSTRAINT run_feed_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT run_feed_sequence_positive CHECK (sequence >= 1)
) WITH (fillfactor = 50);

-- What happened to a run, in the feed of the party that submitted it.
CREATE TABLE platform.run_event (
    party_id uuid        NOT NULL,
    sequence bigint      NOT NULL,
    run_id   uuid        NOT NULL,
    attempt  bigint      NOT NULL,
    kind     text        NOT NULL,
    state    text        NOT NULL, -- of the run from then on
    step     bigint,
    name     text        NOT NULL, -- of the step, or empty
    message  text        NOT NULL,
    at       timestamptz NOT NULL,
    CONSTRAINT run_event_pkey PRIMARY KEY (party_id, sequence),
    CONSTRAINT run_event_party_id_fkey FOREIGN KEY (party_id) REFERENCES platform.party (id),
    CONSTRAINT run_event_run_id_fkey FOREIGN KEY (run_id) REFERENCES platform.run (id) ON DELETE CASCADE,
    CONSTRAINT run_event_kind_known CHECK (kind IN (
        'submitted', 'started', 'step_succeeded', 'step_failed', 'cancel_requested', 'requeued', 'retried', 'succeeded', 'failed',
        'cancelled'
    )),
    CONSTRAINT run_event_state_known CHECK (state IN ('queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled')),
    CONSTRAINT run_event_step_by_kind CHECK ((kind IN ('step_succeeded', 'step_failed')) = (step IS NOT NULL)),
    CONSTRAINT run_event_name_by_step CHECK ((step IS NOT NULL) = (name <> '')),
    CONSTRAINT run_event_name_length CHECK (char_length(name) <= 40),
    CONSTRAINT run_event_message_length CHECK (char_length(message) <= 500)
);

CREATE INDEX run_event_of_run ON platform.run_event (run_id, sequence);
