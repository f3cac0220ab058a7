package svm

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// mintHead is how many bytes of a mint are read: its layout, and extensions of usual size.
	mintHead = 2048
	// metadataHead is how many bytes of a metadata account are read; they include the symbol.
	metadataHead = 256
	// maxFacts and factsLifetime bound the cache of tokens. The mint or the metadata of a token may be created at any
	// time, so a token without them is read again after absenceLifetime.
	maxFacts        = 50_000
	factsLifetime   = 24 * time.Hour
	absenceLifetime = time.Minute
)

// Fact holds what a token's mint and metadata contain.
type Fact struct {
	// Name and Symbol are empty without metadata.
	Name, Symbol string
	Decimals     uint8
	// Supply is in base units. It may be a day old.
	Supply uint64
	// NFT is set if there is exactly one unit, which cannot be divided.
	NFT bool
}

// Facts reads and caches facts of tokens. It is safe for concurrent use.
type Facts struct {
	connect func(chainID string) chainclient.Transport
	cache   *cache.Cache[factKey, *Fact]
}

type factKey struct {
	chainID string
	mint    Address
}

// NewFacts returns an empty cache. connect returns the transport to the nodes of a chain, by CAIP-2 id.
func NewFacts(connect func(chainID string) chainclient.Transport) *Facts {
	return &Facts{connect: connect, cache: cache.New(cache.Options[factKey, *Fact]{
		MaxEntries: maxFacts, LifetimeOf: lifetimeOf,
	})}
}

// lifetimeOf returns how long a fact is cached.
func lifetimeOf(fact *Fact) time.Duration {
	if fact == nil || fact.Name == "" && fact.Symbol == "" {
		return absenceLifetime
	}
	return factsLifetime
}

// Known returns the cached fact of a token; the fact is nil if the account is not a mint.
func (f *Facts) Known(chainID string, mint Address) (*Fact, bool) {
	return f.cache.Get(factKey{chainID, mint})
}

// Read returns the facts of tokens by mint, without accounts that are not mints. Tokens that are not cached are read in
// one batch.
func (f *Facts) Read(ctx context.Context, chainID string, mints []Address) (map[Address]Fact, error) {
	found := map[Address]Fact{}
	var unknown, described []Address
	for _, mint := range mints {
		fact, cached := f.Known(chainID, mint)
		if !cached {
			unknown, described = append(unknown, mint), append(described, MetadataAccount(mint))
		} else if fact != nil {
			found[mint] = *fact
		}
	}
	lists, err := ReadAccountLists(ctx, f.connect(chainID), AccountList{unknown, mintHead}, AccountList{described, metadataHead})
	if err != nil {
		return nil, err
	}
	for i, mint := range unknown {
		fact := factOf(mint, lists[0][i], lists[1][i])
		f.cache.Set(factKey{chainID, mint}, fact)
		if fact != nil {
			found[mint] = *fact
		}
	}
	return found, nil
}

// factOf returns the fact in a mint and its metadata account; nil if the account is not a mint.
func factOf(mint Address, account, metadata *Account) *Fact {
	if account == nil {
		return nil
	}
	m, err := ParseMint(mint, account.Program, account.Data)
	if err != nil {
		return nil
	}
	fact := &Fact{Decimals: m.Decimals, Supply: m.Supply, NFT: m.IsNFT()}
	if m.Metadata != nil {
		fact.Name, fact.Symbol = m.Metadata.Name, m.Metadata.Symbol
	} else if metadata != nil {
		if described, err := ParseMetadata(mint, metadata.Program, metadata.Data); err == nil {
			fact.Name, fact.Symbol = described.Name, described.Symbol
		}
	}
	return fact
}
