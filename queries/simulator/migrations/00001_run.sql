-- +goose Up
CREATE SCHEMA simulator;

-- What the log of a run says in its first and its last line. The log is what
-- counts: all of this can be made again from the files. Until the run is over
-- there is no end. The end of a log of other rules has a reason and a tick alone.
CREATE TABLE simulator.run (
    id                text   COLLATE "C" NOT NULL,
    scenario_id       text   COLLATE "C" NOT NULL,
    seed              bigint NOT NULL,
    map_id            text   COLLATE "C" NOT NULL,
    map_sha256        text   COLLATE "C" NOT NULL,
    constants_sha256  text   COLLATE "C" NOT NULL,
    mechanics_version bigint NOT NULL,
    log_version       bigint NOT NULL,
    end_reason        text   COLLATE "C",
    end_tick          bigint,
    casualties        bigint,
    buildings_lost    bigint,
    CONSTRAINT run_pkey PRIMARY KEY (id),
    CONSTRAINT run_id_length CHECK (octet_length(id) BETWEEN 1 AND 64),
    CONSTRAINT run_end CHECK ((end_reason IS NULL) = (end_tick IS NULL)),
    CONSTRAINT run_outcome CHECK ((casualties IS NULL) = (buildings_lost IS NULL) AND (casualties IS NULL OR end_reason IS NOT NULL))
);
