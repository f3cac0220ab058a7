package nfts

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/plain"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// maxPieces bounds how many tokens of one collection are listed.
	maxPieces = 200
	// textBytes bounds a contract's name and symbol, in bytes of its answer; textLetters, in letters shown.
	textBytes, textLetters = 512, 128
)

// ErrUnavailable says that the chain, or the index of its history, cannot be asked now.
var ErrUnavailable = errors.New("the chain cannot be asked")

// UnknownChainError names a chain that is not of this installation.
type UnknownChainError struct{ ID string }

// Error names the chain.
func (e *UnknownChainError) Error() string { return "unknown chain " + e.ID }

// gallery lists what accounts own.
type gallery struct {
	networks Networks
	holdings Holdings
	reader   Reader
	shelf    *shelf
	// timeout bounds the listing of one account; patience, how much of it is spent on waiting for metadata.
	timeout, patience time.Duration
}

// List tells what an account owns on a chain. The error is an [UnknownChainError] or wraps [ErrUnavailable].
func (g *gallery) List(ctx context.Context, chainID string, owner evm.Address) (Gallery, error) {
	ctx, cancel := context.WithTimeout(ctx, g.timeout)
	defer cancel()
	served, err := g.networks.Serves(ctx, chainID)
	if err != nil {
		return Gallery{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if !served {
		return Gallery{}, &UnknownChainError{chainID}
	}
	touched, backfilling, err := g.holdings.Touched(ctx, chainID, owner)
	if err != nil {
		return Gallery{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	list, truncated := candidates(touched)
	owned, err := g.owned(ctx, chainID, owner, list)
	if err != nil {
		return Gallery{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	collections := group(owned)
	described, err := g.describe(ctx, chainID, collections)
	if err != nil {
		return Gallery{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return Gallery{Collections: collections, Backfilling: backfilling, Truncated: truncated, Describing: !described}, nil
}

// group sorts tokens into their collections, by id, and keeps as many of each as are listed.
func group(owned []candidate) []Collection {
	var list []Collection
	at := map[Contract]int{}
	for _, c := range owned {
		i, ok := at[c.token.Contract]
		if !ok {
			i = len(list)
			at[c.token.Contract] = i
			list = append(list, Collection{Contract: c.token.Contract})
		}
		list[i].Pieces = append(list[i].Pieces, Piece{Token: c.token, Quantity: c.quantity})
	}
	for i := range list {
		c := &list[i]
		slices.SortFunc(c.Pieces, func(a, b Piece) int { return bytes.Compare(a.Token.ID[:], b.Token.ID[:]) })
		c.Owned = len(c.Pieces)
		c.Pieces = c.Pieces[:min(len(c.Pieces), maxPieces)]
	}
	return list
}

// describe fills in what collections and their tokens say of themselves, and sorts by name; false when some metadata came too late.
func (g *gallery) describe(ctx context.Context, chainID string, list []Collection) (described bool, err error) {
	together, inTime := routine.NewGroup(ctx)
	together.Go(func() error { return g.nameCollections(inTime, chainID, list) })
	together.Go(func() error { described = g.readPieces(inTime, chainID, list); return nil })
	if err := together.Wait(); err != nil {
		return false, err
	}
	for i := range list {
		list[i].Hidden = hidden(list[i])
	}
	slices.SortFunc(list, byName)
	return described, nil
}

// nameCollections asks contracts for their names.
func (g *gallery) nameCollections(ctx context.Context, chainID string, list []Collection) error {
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
		list[i].Name = plain.Text(reading.Answers[0][i].Text(), textLetters)
		list[i].Symbol = plain.Text(reading.Answers[1][i].Text(), textLetters)
	}
	return nil
}

// readPieces reads the metadata of every token that is listed; false when patience ended before. The tokens are the account's with or without
// it.
func (g *gallery) readPieces(ctx context.Context, chainID string, list []Collection) (inTime bool) {
	ctx, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	var tokens []Token
	for i := range list { // by index: the names of collections are being written
		for _, p := range list[i].Pieces {
			tokens = append(tokens, p.Token)
		}
	}
	says, inTime := g.shelf.Read(ctx, chainID, tokens)
	for i := range list {
		for j := range list[i].Pieces {
			piece := &list[i].Pieces[j]
			piece.Says = says[piece.Token]
		}
	}
	return inTime
}

// byName puts collections in the order of their names, those without one last.
func byName(a, b Collection) int {
	if (a.Name == "") != (b.Name == "") {
		return strings.Compare(b.Name, a.Name)
	}
	return cmp.Or(
		strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)),
		bytes.Compare(a.Contract.Address[:], b.Contract.Address[:]),
	)
}
