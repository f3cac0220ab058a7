package activity

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// trailLength is how many of a chain's newest blocks are remembered, to tell where a reorganisation began.
const trailLength = 512

// patience is how often the newest blocks of a window may fail before the window counts as one that cannot be read.
const patience = 20

// ErrStale says that the index changed since its state was read: what was read for it must be read again.
var ErrStale = errors.New("the index changed meanwhile")

// Window is a run of blocks that is still to be read for an account, from the newest down.
type Window struct {
	Account   Account
	Low, High uint64
	// Whole blocks tell of native transfers and failures too; otherwise only logs are read.
	Whole bool
	// Failures counts the attempts at its newest blocks that failed.
	Failures int
}

// Extension is what new blocks of a chain changed.
type Extension struct {
	ChainID string
	// Ancestor is the last block that the index and the chain have in common; rows of blocks after it go.
	Ancestor node.Header
	// Headers are the blocks after it, linked.
	Headers []node.Header
	// Accounts are those that the blocks were read for.
	Accounts []evm.Address
	Rows     []Row
}

// Filling is what reading the newest blocks of a window found.
type Filling struct {
	Window Window
	// Low is the oldest block that was read.
	Low  uint64
	Rows []Row
}

// Progress says how far an account's history reaches on one chain.
type Progress struct {
	// From is the oldest block from which on every block was read, Native the oldest from which on they were read whole.
	From, Native uint64
	// Reading is true while older blocks are still being read; false too where they cannot be.
	Reading bool
	// Unseen is true while nothing was read yet: then From and Native mean nothing.
	Unseen bool
}

// Arrival is a contract whose tokens came to an account.
type Arrival struct {
	Contract evm.Address
	Standard Standard
	// TokenIDs are decimal text; none for ERC-20.
	TokenIDs []string
}

// Store keeps the index, and tells ActivityChanged of every change of rows that it acknowledges.
type Store interface {
	// Asked notes that somebody asked for an account, and whether to watch it, and reports whether it was seen before.
	Asked(ctx context.Context, a Account, watched bool, now time.Time) (seen bool, err error)
	// See begins to keep an account: blocks after the chain's tip will be followed, those up to it are a window. Seeing an account twice
	// changes nothing. Where more than most accounts of the chain are kept then, others are dropped: first those that nobody watched since,
	// and of them the ones that were asked for longest ago. It fails with ErrStale where the chain has no trail.
	See(ctx context.Context, a Account, most int, since, now time.Time) error
	// ChainsOf lists the chains on which an address was seen.
	ChainsOf(ctx context.Context, address evm.Address) ([]string, error)
	// Accounts lists up to most addresses of a chain that were asked for since: those that are watched before others, and then those that
	// were asked for last.
	Accounts(ctx context.Context, chainID string, since time.Time, most int) ([]evm.Address, error)
	// Forget drops the accounts that nobody asked for since, and all that is kept of them.
	Forget(ctx context.Context, since time.Time) error

	// Trail lists the newest blocks of a chain that are known, the newest first.
	Trail(ctx context.Context, chainID string) ([]node.Header, error)
	// Extend adds blocks. It fails with ErrStale when the ancestor is not, or no longer, part of the trail.
	Extend(ctx context.Context, e Extension) error
	// Jump makes headers the trail of a chain and leaves the blocks since the trail's oldest to windows of every account. Where the chain has
	// another genesis than the one that was given before, all that is kept of it goes, and all of its blocks are left to windows; the zero
	// hash stands for a genesis that is not known.
	Jump(ctx context.Context, chainID string, genesis node.Hash, headers []node.Header) error

	// NextWindow returns the window of a chain that is to be read next, of an account that was asked for since; false when there is none
	// that does not rest.
	NextWindow(ctx context.Context, chainID string, since, now time.Time) (Window, bool, error)
	// Fill keeps what was found in a window's newest blocks. It fails with ErrStale when the window is not what it was, or its blocks are
	// not those of the trail.
	Fill(ctx context.Context, f Filling) error
	// Rest leaves a window alone until then, after another failure.
	Rest(ctx context.Context, w Window, until time.Time) error
	// Chains lists the chains with an account that was asked for since.
	Chains(ctx context.Context, since time.Time) ([]string, error)

	// Page returns up to limit rows of an address after a place, newest first, on one chain or, where chainID is empty, on all.
	Page(ctx context.Context, address evm.Address, chainID string, after *Place, limit int) ([]Row, error)
	// Progress says how far a seen account's history reaches; false when it was not seen.
	Progress(ctx context.Context, a Account) (Progress, bool, error)
	// Arrivals lists up to 1,000 contracts whose tokens came to the account, the last first.
	Arrivals(ctx context.Context, a Account) ([]Arrival, error)
	// Tokens returns those of the contracts that are known.
	Tokens(ctx context.Context, chainID string, contracts []evm.Address) (map[evm.Address]Token, error)
	// Learn keeps what contracts say of themselves.
	Learn(ctx context.Context, chainID string, tokens []Token) error
}

//go:embed migrations
var migrations embed.FS

// SQLStore is the [Store] in a database.
type SQLStore struct {
	db     *store.DB
	outbox *bus.Outbox
	// whole is how long a window may be of which native transfers are learned.
	whole func(chainID string) uint64
}

// NewSQLStore creates its tables in db where they are absent. Windows of more than whole blocks of a chain are read by their logs only.
func NewSQLStore(ctx context.Context, db *store.DB, outbox *bus.Outbox, whole func(chainID string) uint64) (*SQLStore, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "activity", files); err != nil {
		return nil, err
	}
	return &SQLStore{db: db, outbox: outbox, whole: whole}, nil
}

// tell announces, as part of tx, whose rows changed.
func (s *SQLStore) tell(ctx context.Context, tx *store.Tx, chainID string, block uint64, accounts map[string]bool) error {
	if len(accounts) == 0 {
		return nil
	}
	event := &activityv1.ActivityChanged{ChainId: chainID, Block: block}
	for address := range accounts {
		event.Accounts = append(event.Accounts, chainID+":"+address)
	}
	return s.outbox.Add(ctx, tx, event)
}

// readStrings reads a column of text.
func readStrings(ctx context.Context, q store.Queries, query string, args ...any) (list []string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

// exec is for statements of which only the failure counts.
func exec(ctx context.Context, tx *store.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

// wrap says what was being done when the database failed.
func wrap(doing string, err error) error {
	if err == nil || errors.Is(err, ErrStale) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}
