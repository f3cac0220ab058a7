package index

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// MaxFailures is how often reading the newest blocks of a window may fail before the window counts as unreadable.
const MaxFailures = 20

// ErrStale is returned when the index changed since its state was read. What was read for it must be read again.
var ErrStale = errors.New("the index changed in the meantime")

// Request is one request for an account.
type Request struct {
	Account Account
	// Caller identifies the site that the request came from; empty for the suite's own.
	Caller string
	// Watched is set if a page watches the account.
	Watched bool
	// Waits is set if the caller has no calls left, so that an account would wait in its turns.
	Waits bool
	At    time.Time
}

// Window is a range of blocks that is still to be read for an account, from the newest down.
type Window struct {
	Account Account
	// Caller is the site in whose turns the window is read.
	Caller    string
	Low, High uint64
	// Whole windows are read block by block, with native transfers and failed transactions; others by their logs.
	Whole bool
	// Watched is set if a page watches the account.
	Watched bool
	// Failures counts the failed attempts at the newest blocks of the window.
	Failures int
}

// Extension is a change by new blocks of a chain.
type Extension struct {
	ChainID string
	// Ancestor is the last block that the index and the chain have in common. Rows of blocks after it are deleted.
	Ancestor node.Header
	// Headers are the blocks after it, linked.
	Headers []node.Header
	// Following is the version of the followed accounts, for which the blocks were read.
	Following int64
	Rows      []Row
}

// Tip returns the number of the last block.
func (e Extension) Tip() uint64 { return e.Ancestor.Number + uint64(len(e.Headers)) }

// Filling is the result of reading the newest blocks of a window.
type Filling struct {
	Window Window
	// Shared are windows of other accounts that the blocks were read for too. They may have other blocks beside these.
	Shared []Window
	// Low is the oldest block that was read.
	Low  uint64
	Rows []Row
}

// Accounts lists the accounts that the blocks were read for, first that of the window.
func (f Filling) Accounts() []evm.Address {
	accounts := []evm.Address{f.Window.Account.Address}
	for _, w := range f.Shared {
		if !slices.Contains(accounts, w.Account.Address) {
			accounts = append(accounts, w.Account.Address)
		}
	}
	return accounts
}

// Progress is how far an account's history reaches on one chain.
type Progress struct {
	// From is the oldest block from which on every block was read; Native the oldest from which on they were read whole.
	From, Native uint64
	// Reading is set while older blocks are being read. It is not set if they cannot be.
	Reading bool
	// NotStarted is set before anything was read. From and Native then have no meaning.
	NotStarted bool
}

// Touched is a contract whose tokens were transferred to an account.
type Touched struct {
	Contract evm.Address
	Standard Standard
	// TokenIDs are decimal; none for ERC-20.
	TokenIDs []string
}

// Store keeps the index, and publishes ActivityChanged for every change of rows.
type Store interface {
	// Requested records a request, and reports whether the account is tracked. An account with unread blocks is then read in the turns of the
	// request's caller if that has fewer such accounts than the caller before, and does not wait.
	Requested(ctx context.Context, r Request) (tracked bool, err error)
	// Track starts to keep an account: it is followed, and the blocks up to the chain's newest known one are a window. Tracking an account twice changes nothing. If the chain then has more than most accounts, accounts are
	// dropped: first those that were not watched since, and among them those with the oldest requests. It fails with
	// ErrStale if no block of the chain is known.
	Track(ctx context.Context, r Request, most int, since time.Time) error
	// ChainsOf lists the chains on which an address is tracked.
	ChainsOf(ctx context.Context, address evm.Address) ([]string, error)
	// Follow makes up to most accounts of a chain followed that were requested since, and stops to follow the others, some thousands in a call. Of more than
	// most, those are followed that are watched, then those with the latest requests; they are chosen every minute, and the others get windows of new blocks
	// every five seconds. The blocks that an account missed while it was not followed become a window. It returns the followed accounts, of which known are those of an earlier call, and changes nothing before a block of
	// the chain is known.
	Follow(ctx context.Context, chainID string, since time.Time, most int, known Following) (Following, error)
	// Forget drops the accounts that were not requested since, with all their data.
	Forget(ctx context.Context, since time.Time) error

	// RecentBlocks lists the newest known blocks of a chain, the newest first.
	RecentBlocks(ctx context.Context, chainID string) ([]node.Header, error)
	// Extend adds blocks that were read for the followed accounts; rows of others are left out. It fails with ErrStale if the ancestor is not one of the
	// recent blocks, or accounts began or stopped to be followed in the meantime.
	Extend(ctx context.Context, e Extension) error
	// LastRow returns the number and the hash of the newest block that has a row and is not after upTo; found is false if there is none.
	LastRow(ctx context.Context, chainID string, upTo uint64) (number uint64, hash node.Hash, found bool, err error)
	// Jump replaces the recent blocks of a chain by headers. If there were any, it drops the data of block `first` and
	// later ones, of those after the oldest recent one, and of those from the first of headers on, and no account is
	// followed any more: Follow adds these blocks to windows. If the chain has another genesis than before, all its data
	// is dropped, and Follow adds all its blocks. The zero hash means an unknown genesis.
	Jump(ctx context.Context, chainID string, genesis node.Hash, first uint64, headers []node.Header) error

	// NextWindows lists the windows of a chain to read next, of accounts that were requested since: up to four of each caller, first the first of every
	// caller, then the second. A caller's windows are ordered: accounts of which nothing was read yet, then those that are watched, then those that were
	// tracked first. Deferred windows are not among them.
	NextWindows(ctx context.Context, chainID string, since, now time.Time) ([]Window, error)
	// SharedWindows lists up to most windows of other accounts that have some of the blocks from low to the end of a window, are read in the same way,
	// and had no failure.
	SharedWindows(ctx context.Context, w Window, low uint64, most int, since time.Time) ([]Window, error)
	// Fill adds the rows of a window's newest blocks. It fails with ErrStale if the window changed, or its blocks are not the recent ones.
	Fill(ctx context.Context, f Filling) error
	// Defer postpones a window until then, after another failure.
	Defer(ctx context.Context, w Window, until time.Time) error
	// Chains lists the chains with an account that was requested since.
	Chains(ctx context.Context, since time.Time) ([]string, error)

	// Page returns up to limit rows of an address after a place, newest first, on one chain, or on all if chainID is empty.
	Page(ctx context.Context, address evm.Address, chainID string, after *Place, limit int) ([]Row, error)
	// Progress returns how far the history of an account reaches; false if it is not tracked.
	Progress(ctx context.Context, a Account) (Progress, bool, error)
	// Touched lists up to 1,000 contracts whose tokens were transferred to the account, the last one first.
	Touched(ctx context.Context, a Account) ([]Touched, error)
	// Approved lists up to most approvals of an account, the one that was changed last first, and reports whether there are more. An approval is known by
	// its latest event, and is not listed if that one took it back. Of a contract outside listed the account itself must have sent a transaction with an
	// event of an approval, or one that brought it tokens of the contract: any contract can emit events that name the account.
	Approved(ctx context.Context, a Account, listed []evm.Address, most int) (list []Approved, more bool, err error)
	// Tokens returns the known tokens among the contracts.
	Tokens(ctx context.Context, chainID string, contracts []evm.Address) (map[evm.Address]Token, error)
	// SaveTokens adds tokens that are not known yet.
	SaveTokens(ctx context.Context, chainID string, tokens []Token) error
}

// Contracts lists the contracts of the rows' tokens, each once.
func Contracts(rows []Row) (list []evm.Address) {
	seen := map[evm.Address]bool{}
	for _, r := range rows {
		for _, t := range r.Transfers {
			if t.Standard != Native && !seen[t.Contract] {
				seen[t.Contract] = true
				list = append(list, t.Contract)
			}
		}
	}
	return list
}
