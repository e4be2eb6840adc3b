package pg

import (
	"errors"

	"github.com/jackc/pgx/v5"
)

// Found turns the error of a statement for one row into whether there is one.
func Found(err error) (bool, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
