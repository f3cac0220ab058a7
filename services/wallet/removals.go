package wallet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/user"
)

// removalsFile is the name of the file in data_dir that lists what users removed.
const removalsFile = "wallet.removed"

// removals is a file beside the database that lists the factors and users that were removed. A database that was restored from a backup has
// some of them again; they must not work.
type removals struct {
	mu   sync.Mutex
	path string
}

// add lists a factor, or a user if the factor is empty.
func (r *removals) add(userID, factorID string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("record a removal: %w", err)
	}
	_, err = fmt.Fprintln(f, strings.TrimSpace(userID+" "+factorID))
	return errors.Join(err, f.Sync(), f.Close())
}

// each calls visit with everything that is listed.
func (r *removals) each(visit func(userID, factorID string) error) error {
	f, err := os.Open(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		userID, factorID, _ := strings.Cut(lines.Text(), " ")
		if err := visit(userID, factorID); err != nil {
			return err
		}
	}
	return lines.Err()
}

// openRemovals removes again what a restored database has, and logs it.
func (s *Server) openRemovals(ctx context.Context) error {
	s.removed = &removals{path: filepath.Join(s.cfg.DataDir, removalsFile)}
	return s.removed.each(func(userID, factorID string) error {
		var err error
		if factorID == "" {
			if _, err = s.users.Find(ctx, userID); err == nil {
				err = s.users.Delete(ctx, userID)
			}
		} else {
			err = s.wallets.Remove(ctx, userID, factorID)
		}
		switch {
		case errors.Is(err, factor.ErrNoFactor), errors.Is(err, user.ErrNone):
			return nil
		case errors.Is(err, factor.ErrLast):
			s.log.ErrorContext(ctx, "a removed factor is back in the database, as the last one of its wallet: was the database restored from a backup?", "factor", factorID)
			return nil
		case err != nil:
			return err
		}
		s.log.ErrorContext(ctx, "a removed factor or user was back in the database, and was removed again: was the database restored from a backup?", "user", userID, "factor", factorID)
		return nil
	})
}
