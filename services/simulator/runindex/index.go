package runindex

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/generated/simulatordb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// Index is the index over one folder of logs.
type Index struct {
	pool   *pgxpool.Pool
	folder string
	log    *slog.Logger
}

// New makes one. The log gets which files are no run logs.
func New(pool *pgxpool.Pool, folder string, log *slog.Logger) *Index {
	return &Index{pool, folder, log}
}

// batch is how many runs are written in a transaction.
const batch = 500

// Put writes what the logs of runs say, and tells of how many. A file that is no
// log of its run is left out.
func (x *Index) Put(ctx context.Context, runs []string) (put int, err error) {
	for some := range slices.Chunk(runs, batch) {
		var rows []simulatordb.PutRunParams
		for _, id := range some {
			s, err := runlog.Summarise(x.folder, id)
			if err != nil {
				x.log.Warn("run index", "run", id, "error", err)
				continue
			}
			rows = append(rows, row(s))
		}
		err := pg.Write(ctx, x.pool, func(ctx context.Context, tx pgx.Tx) error {
			for _, r := range rows {
				if err := simulatordb.New().PutRun(ctx, tx, r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return put, err
		}
		put += len(rows)
	}
	return put, nil
}

// row is what is kept of a log.
func row(s runlog.Summary) simulatordb.PutRunParams {
	r := simulatordb.PutRunParams{
		ID: s.RunID, ScenarioID: s.ScenarioID, Seed: s.Seed, MapID: s.MapID, MapSha256: s.MapSHA256, ConstantsSha256: s.Constants,
		MechanicsVersion: int64(s.Mechanics), LogVersion: int64(s.LogVersion),
	}
	if s.End != nil {
		r.EndReason, r.EndTick, r.Casualties, r.BuildingsLost = &s.End.Reason, &s.End.Tick, s.End.Casualties, s.End.BuildingsLost
	}
	return r
}

// Rebuild empties the index and makes it again from all logs of the folder. It
// tells of how many runs there are. While it works some are missing.
func (x *Index) Rebuild(ctx context.Context) (runs int, err error) {
	ids, err := runlog.Runs(x.folder)
	if err != nil {
		return 0, fmt.Errorf("run logs: %w", err)
	}
	err = pg.Write(ctx, x.pool, func(ctx context.Context, tx pgx.Tx) error {
		return simulatordb.New().ForgetRuns(ctx, tx)
	})
	if err != nil {
		return 0, err
	}
	runs, err = x.Put(ctx, ids)
	if err == nil && runs < len(ids) {
		err = errors.New("some files are no run logs; the log says which")
	}
	return runs, err
}
