package solana

import (
	"context"

	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// Token describes a token.
type Token struct {
	// Name and Symbol are empty without metadata. Icon is a URL, or empty.
	Name, Symbol, Icon string
	// Listed is set if the name and the symbol are those of a token list.
	Listed bool
	// NFT is set if there is exactly one unit, which cannot be divided.
	NFT bool
	// Warning is the problem with the name of an unlisted token, see package spam; empty for none.
	Warning string
}

// describe adds the tokens of rows that are not in known yet.
func (h *History) describe(ctx context.Context, q Query, rows []Row, known map[svm.Address]Token) error {
	known[svm.Native] = Token{Name: q.Native.Name, Symbol: q.Native.Symbol, Listed: true}
	var unlisted []svm.Address
	for _, row := range rows {
		for _, t := range row.Transfers {
			if _, ok := known[t.Mint]; ok {
				continue
			}
			if listed, ok := h.tokens.Mint(q.ChainID, t.Mint); ok {
				known[t.Mint] = Token{Name: listed.Name, Symbol: listed.Symbol, Icon: listed.Icon, Listed: true}
				continue
			}
			known[t.Mint] = Token{}
			unlisted = append(unlisted, t.Mint)
		}
	}
	if len(unlisted) == 0 {
		return nil
	}
	facts, err := h.facts.Read(ctx, q.ChainID, unlisted)
	if err != nil {
		return err
	}
	names := h.listedNames(q)
	for mint, f := range facts {
		known[mint] = Token{Name: f.Name, Symbol: f.Symbol, NFT: f.NFT, Warning: names.Warning(f.Name, f.Symbol)}
	}
	return nil
}

// listedNames returns the names and symbols of the listed tokens and of the native token.
func (h *History) listedNames(q Query) spam.ListedNames {
	names := spam.ListedNames{}
	names.Add(q.Native.Name, q.Native.Symbol)
	for _, t := range h.tokens.Mints(q.ChainID) {
		names.Add(t.Name, t.Symbol)
	}
	return names
}
