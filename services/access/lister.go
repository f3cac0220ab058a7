package access

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// ErrUnavailable is returned when the index or every node of a chain does not answer.
var ErrUnavailable = errors.New("the approvals cannot be read")

// Candidate is an approval as its last event states it.
type Candidate struct {
	Kind     Kind
	Contract evm.Address
	Spender  evm.Address
	// TokenID is nil unless the kind is NFT.
	TokenID *big.Int
	// ChangedAt is the time of the block, and ChangedBy the hash of the transaction.
	ChangedAt time.Time
	ChangedBy string
}

// Candidates are the approvals that the index has of an account, the one that was changed last first.
type Candidates struct {
	List []Candidate
	// More is set if there are more.
	More bool
	// Backfilling is set while older blocks are being read, and FromBlock is the oldest one that was; nil before any was.
	Backfilling bool
	FromBlock   *uint64
}

// Edition is a contract of ERC-1155, and the ids of its tokens that moved to an account.
type Edition struct {
	Contract evm.Address
	IDs      []*big.Int
}

// Index is the index of activity.
type Index interface {
	// Candidates lists the approvals of an account.
	Candidates(ctx context.Context, chainID string, owner evm.Address) (Candidates, error)
	// Editions lists the contracts of ERC-1155 whose tokens moved to an account.
	Editions(ctx context.Context, chainID string, owner evm.Address) ([]Edition, error)
}

// Prices returns prices.
type Prices interface {
	// Prices returns the prices of whole units of tokens by CAIP-10 id, without those that are not known.
	Prices(ctx context.Context, currency string, ids []string) map[string]float64
}

// HeldPrices returns prices on Solana.
type HeldPrices interface {
	// PricesHeld is [Prices] for tokens that an account holds.
	PricesHeld(ctx context.Context, chainID, owner, currency string, ids []string) map[string]float64
}

// Names names well-known contracts. It is implemented by [contracts.Names].
type Names interface {
	// Name returns the name of a contract, and false for an unknown one.
	Name(chainID string, contract evm.Address) (string, bool)
}

// lister lists the approvals of accounts of EVM chains.
type lister struct {
	index   Index
	reader  *evm.Reader
	connect func(chainID string) chainclient.Transport
	lists   *tokens.Lists
	names   Names
	prices  Prices
	// native returns the name and the symbol of a chain's native token.
	native  func(ctx context.Context, chainID string) chainclient.Currency
	timeout time.Duration
}

// List returns the approvals of an account, with values in a currency. The error wraps [ErrUnavailable], or is one of the index.
func (l *lister) List(ctx context.Context, chainID string, owner evm.Address, currency string) (Listing, error) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	var list Listing
	together, inTime := routine.NewGroup(ctx)
	together.Go(func() (err error) { list.Delegation, err = l.delegation(inTime, chainID, owner); return err })
	var found Candidates
	var rights []right
	together.Go(func() (err error) {
		if found, err = l.index.Candidates(inTime, chainID, owner); err == nil {
			rights, err = l.rights(inTime, chainID, owner, found.List)
		}
		return err
	})
	if err := together.Wait(); err != nil {
		return Listing{}, err
	}
	list.Backfilling, list.FromBlock, list.Truncated = found.Backfilling, found.FromBlock, found.More
	var err error
	if list.Approvals, err = l.approvals(ctx, chainID, owner, rights); err != nil {
		return Listing{}, err
	}
	list.value(l.prices.Prices(ctx, currency, list.priced()))
	list.sort()
	return list, nil
}

// approvals returns what the rights are to, without those to a token that does not return the account's balance.
func (l *lister) approvals(ctx context.Context, chainID string, owner evm.Address, rights []right) ([]Approval, error) {
	var holdings map[evm.Address]holding
	var bare map[evm.Address]bool
	together, inTime := routine.NewGroup(ctx)
	together.Go(func() (err error) { holdings, err = l.holdings(inTime, chainID, owner, rights); return err })
	together.Go(func() (err error) { bare, err = l.withoutCode(inTime, chainID, rights); return err })
	if err := together.Wait(); err != nil {
		return nil, err
	}
	names := l.listedNames(ctx, chainID)
	var list []Approval
	for _, r := range rights {
		h := holdings[r.Contract]
		a, ok := r.approval(h)
		if !ok {
			continue
		}
		a.Token = l.token(chainID, r.Contract, h, names)
		name, _ := l.names.Name(chainID, r.Spender)
		a.Spender = Spender{ID: chainID + ":" + r.Spender.String(), Name: name, HasNoCode: bare[r.Spender]}
		list = append(list, a)
	}
	return list, nil
}

// unavailable wraps an error of a chain.
func unavailable(chainID string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrUnavailable, chainID, err)
}
