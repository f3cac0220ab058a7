package nfts

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/media"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// maxItems bounds how many tokens of one collection are listed.
	maxItems = 200
	// textBytes bounds a contract's name and symbol, in bytes of its answer; textLetters, in letters shown.
	textBytes, textLetters = 512, 128
)

// UnknownChainError is the error of a chain, by CAIP-2 id, that is not in the network table.
type UnknownChainError struct{ ID string }

// Error returns a text with the chain id.
func (e *UnknownChainError) Error() string { return "unknown chain " + e.ID }

// lister lists the NFTs of accounts.
type lister struct {
	networks media.Networks
	holdings Holdings
	reader   media.Reader
	metadata *media.Metadata
	// timeout bounds the listing of one account; patience is how much of it may be spent on metadata.
	timeout, patience time.Duration
}

// List returns what an account owns on a chain. The error is an [UnknownChainError] or wraps [media.ErrUnavailable].
func (g *lister) List(ctx context.Context, chainID string, owner evm.Address) (Listing, error) {
	ctx, cancel := context.WithTimeout(ctx, g.timeout)
	defer cancel()
	served, err := g.networks.Serves(ctx, chainID)
	if err != nil {
		return Listing{}, fmt.Errorf("%w: %w", media.ErrUnavailable, err)
	}
	if !served {
		return Listing{}, &UnknownChainError{chainID}
	}
	touched, backfilling, err := g.holdings.Touched(ctx, chainID, owner)
	if err != nil {
		return Listing{}, fmt.Errorf("%w: %w", media.ErrUnavailable, err)
	}
	list, truncated := candidates(touched)
	owned, err := g.owned(ctx, chainID, owner, list)
	if err != nil {
		return Listing{}, fmt.Errorf("%w: %w", media.ErrUnavailable, err)
	}
	collections := group(owned)
	described, err := g.describe(ctx, chainID, collections)
	if err != nil {
		return Listing{}, fmt.Errorf("%w: %w", media.ErrUnavailable, err)
	}
	return Listing{Collections: collections, Backfilling: backfilling, Truncated: truncated, Describing: !described}, nil
}

// group returns the collections of tokens, with the tokens of each sorted by id and cut to maxItems.
func group(owned []candidate) []Collection {
	var list []Collection
	at := map[asset.Contract]int{}
	for _, c := range owned {
		i, ok := at[c.token.Contract]
		if !ok {
			i = len(list)
			at[c.token.Contract] = i
			list = append(list, Collection{Contract: c.token.Contract})
		}
		list[i].Items = append(list[i].Items, Item{Token: c.token, Quantity: c.quantity})
	}
	for i := range list {
		c := &list[i]
		slices.SortFunc(c.Items, func(a, b Item) int { return bytes.Compare(a.Token.ID[:], b.Token.ID[:]) })
		c.Owned = len(c.Items)
		c.Items = c.Items[:min(len(c.Items), maxItems)]
	}
	return list
}

// describe reads the names of collections and the metadata of their tokens, and sorts by name; false if some metadata was not read in time.
func (g *lister) describe(ctx context.Context, chainID string, list []Collection) (described bool, err error) {
	together, inTime := routine.NewGroup(ctx)
	together.Go(func() error { return g.nameCollections(inTime, chainID, list) })
	together.Go(func() error { described = g.readItems(inTime, chainID, list); return nil })
	if err := together.Wait(); err != nil {
		return false, err
	}
	for i := range list {
		list[i].Hidden = hidden(list[i])
	}
	slices.SortFunc(list, byName)
	return described, nil
}

// nameCollections reads name() and symbol() of every contract.
func (g *lister) nameCollections(ctx context.Context, chainID string, list []Collection) error {
	contracts := make([]evm.Address, len(list))
	for i := range list {
		contracts[i] = list[i].Contract.Address
	}
	reading, err := g.reader.Read(ctx, chainID, []evm.Query{
		{Call: evm.Selector("name()"), Keep: textBytes, Targets: contracts},
		{Call: evm.Selector("symbol()"), Keep: textBytes, Targets: contracts},
	})
	if err != nil {
		return err
	}
	for i := range list {
		list[i].Name = plaintext.Text(reading.Answers[0][i].Text(), textLetters)
		list[i].Symbol = plaintext.Text(reading.Answers[1][i].Text(), textLetters)
	}
	return nil
}

// readItems reads the metadata of every listed token; false if patience ended before. Tokens are listed without it.
func (g *lister) readItems(ctx context.Context, chainID string, list []Collection) (inTime bool) {
	ctx, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	var tokens []asset.Token
	for i := range list { // by index: the names of collections are being written
		for _, p := range list[i].Items {
			tokens = append(tokens, p.Token)
		}
	}
	metadataOf, inTime := g.metadata.Read(ctx, chainID, tokens)
	for i := range list {
		for j := range list[i].Items {
			item := &list[i].Items[j]
			item.Metadata = metadataOf[item.Token]
		}
	}
	return inTime
}

// byName compares collections by name, those without one last.
func byName(a, b Collection) int {
	if (a.Name == "") != (b.Name == "") {
		return strings.Compare(b.Name, a.Name)
	}
	return cmp.Or(
		strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)),
		bytes.Compare(a.Contract.Address[:], b.Contract.Address[:]),
	)
}

// hiddenLink is the reason to hide a collection that advertises a web site.
const hiddenLink = "link"

// hidden returns hiddenLink if a collection's name or symbol contains a web address, or if the names of all its named
// tokens do.
func hidden(c Collection) string {
	if spam.NameHasLink(c.Name) || spam.NameHasLink(c.Symbol) {
		return hiddenLink
	}
	named, links := 0, 0
	for _, p := range c.Items {
		if p.Metadata == nil || p.Metadata.Name == "" {
			continue
		}
		named++
		if spam.NameHasLink(p.Metadata.Name) {
			links++
		}
	}
	if named > 0 && named == links {
		return hiddenLink
	}
	return ""
}

// Touched is a contract and its tokens that moved to an account, the most recent first.
type Touched struct {
	Contract asset.Contract
	IDs      []asset.ID
}

// Collection holds the tokens of one contract that an account owns.
type Collection struct {
	Contract asset.Contract
	// Name and Symbol are those of the contract; empty if it has none.
	Name, Symbol string
	// Hidden is the reason to hide the collection at first; empty for none.
	Hidden string
	// Owned is the number of tokens owned, including those that are not listed.
	Owned int
	// Items are the listed tokens, sorted by id.
	Items []Item
}

// Item is a token that an account owns.
type Item struct {
	Token asset.Token
	// Quantity is how many the account owns; 1 for ERC-721.
	Quantity *big.Int
	// Metadata is nil if it could not be read.
	Metadata *metadata.Document
}

// Listing holds the tokens that an account owns on one chain.
type Listing struct {
	Collections []Collection
	// Backfilling means that older blocks are still being indexed, so there may be more.
	Backfilling bool
	// Truncated means that more tokens moved to the account than were checked.
	Truncated bool
	// Describing means that the metadata of some tokens is still being fetched.
	Describing bool
}
