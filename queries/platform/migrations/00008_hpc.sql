-- +goose Up

-- A queue is where runs wait for nodes. Queues are set up by migrations; what
-- waits and goes on in them is counted from the runs.
CREATE TABLE platform.hpc_queue (
    name         text   NOT NULL, -- collated as run.queue is, whose indexes it is looked up in
    description  text   NOT NULL,
    state        text   NOT NULL,
    run_seconds  bigint NOT NULL, -- the longest that a run may take
    queued_runs  bigint NOT NULL, -- how many may wait
    running_runs bigint NOT NULL, -- how many go on at once
    CONSTRAINT hpc_queue_pkey PRIMARY KEY (name),
    CONSTRAINT hpc_queue_name_form CHECK (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    CONSTRAINT hpc_queue_description_length CHECK (char_length(description) BETWEEN 1 AND 500),
    CONSTRAINT hpc_queue_state_known CHECK (state IN ('open', 'draining', 'closed')),
    CONSTRAINT hpc_queue_run_seconds_positive CHECK (run_seconds >= 1),
    CONSTRAINT hpc_queue_queued_runs_range CHECK (queued_runs BETWEEN 1 AND 1000000),
    CONSTRAINT hpc_queue_running_runs_range CHECK (running_runs BETWEEN 1 AND 1000000)
);

-- A partition is the nodes of one kind that a queue has.
CREATE TABLE platform.hpc_partition (
    queue               text   NOT NULL,
    name                text   NOT NULL,
    nodes               bigint NOT NULL,
    cores_per_node      bigint NOT NULL,
    memory_gib_per_node bigint NOT NULL,
    CONSTRAINT hpc_partition_pkey PRIMARY KEY (queue, name),
    CONSTRAINT hpc_partition_queue_fkey FOREIGN KEY (queue) REFERENCES platform.hpc_queue (name),
    CONSTRAINT hpc_partition_name_form CHECK (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    CONSTRAINT hpc_partition_nodes_range CHECK (nodes BETWEEN 1 AND 1000000),
    CONSTRAINT hpc_partition_cores_range CHECK (cores_per_node BETWEEN 1 AND 100000),
    CONSTRAINT hpc_partition_memory_range CHECK (memory_gib_per_node BETWEEN 1 AND 1000000)
);

INSERT INTO platform.hpc_queue (name, description, state, run_seconds, queued_runs, running_runs) VALUES
    ('debug', 'Short tries while something is being made.', 'open', 600, 100, 2),
    ('short', 'Runs of minutes, started soon.', 'open', 3600, 1000, 8),
    ('long', 'Runs of days, which may wait for as long.', 'open', 604800, 1000, 16),
    ('gpu', 'Runs that need accelerators.', 'open', 86400, 500, 4),
    ('legacy', 'The former machine. It ends what it has and takes nothing more.', 'draining', 86400, 100, 4);

INSERT INTO platform.hpc_partition (queue, name, nodes, cores_per_node, memory_gib_per_node) VALUES
    ('debug', 'debug-a', 2, 32, 128),
    ('short', 'short-a', 8, 64, 256),
    ('long', 'long-a', 12, 128, 512),
    ('long', 'long-b', 4, 128, 2048),
    ('gpu', 'gpu-a', 4, 64, 1024),
    ('legacy', 'legacy-a', 16, 24, 64);

ALTER TABLE platform.run ADD CONSTRAINT run_queue_fkey FOREIGN KEY (queue) REFERENCES platform.hpc_queue (name);
