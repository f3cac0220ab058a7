package seal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
)

// Keys are the key encryption keys of an installation.
type Keys struct {
	Current  Config
	Previous []Config
	// File is the path of the age identity that is created at the first start, used if Current is of [Age] and names no
	// file.
	File string
}

// Open returns the sealer of the keys. isUsed reports whether the database has sealed values: a missing key file is
// created only if it has none. If a key management service is not available, Open succeeds and logs it; sealing and
// opening fail with [ErrUnavailable] until the service is available.
func (k Keys) Open(ctx context.Context, isUsed func(ctx context.Context) (bool, error), log *slog.Logger) (*Sealer, error) {
	if k.Current.Provider == Age && k.Current.File == "" {
		k.Current.File = k.File
		if err := k.create(ctx, isUsed); err != nil {
			return nil, err
		}
	}
	current, err := k.Current.Open(ctx)
	if err != nil {
		return nil, err
	}
	previous := make([]KEK, len(k.Previous))
	for i, c := range k.Previous {
		if previous[i], err = c.Open(ctx); err != nil {
			return nil, err
		}
	}
	s := New(current, previous...)
	err = s.Check(ctx)
	if errors.Is(err, ErrUnavailable) {
		log.ErrorContext(ctx, "the key encryption key is not available: calls that need it fail until it is", "error", err)
		return s, nil
	}
	return s, err
}

// create makes the key file of a new installation.
func (k Keys) create(ctx context.Context, isUsed func(ctx context.Context) (bool, error)) error {
	if _, err := os.Stat(k.File); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	used, err := isUsed(ctx)
	if err != nil {
		return err
	}
	if used {
		return fmt.Errorf("the key file %s is missing, without which what it seals in this database cannot be opened: restore it", k.File)
	}
	if err := CreateAge(k.File); err != nil {
		return fmt.Errorf("make the key file: %w", err)
	}
	return nil
}
