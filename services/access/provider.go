package access

import (
	"context"
	"math/big"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

const (
	// pricesTimeout bounds the read of prices: approvals are listed without those that come later.
	pricesTimeout = 3 * time.Second
	// pricesPerCall is how many prices one call returns.
	pricesPerCall = 100
)

// historyIndex implements [Index] with the activity service.
type historyIndex struct {
	holdings activityv1.HoldingsServiceClient
}

// Candidates implements [Index].
func (h historyIndex) Candidates(ctx context.Context, chainID string, owner evm.Address) (Candidates, error) {
	res, err := h.holdings.ListApproved(caller.Forward(ctx), &activityv1.ListApprovedRequest{Account: chainID + ":" + owner.String()})
	if err != nil {
		return Candidates{}, indexError(chainID, err)
	}
	found := Candidates{More: res.GetMore(), Backfilling: res.GetBackfilling(), FromBlock: res.FromBlock}
	for _, a := range res.GetApprovals() {
		if c, ok := candidate(a); ok {
			found.List = append(found.List, c)
		}
	}
	return found, nil
}

// candidate parses an approval of the index.
func candidate(a *activityv1.Approved) (c Candidate, ok bool) {
	c = Candidate{Kind: Kind(a.GetKind()), ChangedAt: time.Unix(a.GetTime(), 0).UTC(), ChangedBy: a.GetHash()}
	var errs [2]error
	c.Contract, errs[0] = evm.ParseAddress(a.GetContract())
	c.Spender, errs[1] = evm.ParseAddress(a.GetSpender())
	_, known := queriesOfRights[c.Kind]
	ok = errs == [2]error{} && known
	if c.Kind == NFT {
		c.TokenID = tokenID(a.GetTokenId())
		ok = ok && c.TokenID != nil
	}
	return c, ok
}

// tokenID parses decimal text of up to 256 bits; nil for other text.
func tokenID(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 256 {
		return nil
	}
	return n
}

// Editions implements [Index].
func (h historyIndex) Editions(ctx context.Context, chainID string, owner evm.Address) (list []Edition, err error) {
	res, err := h.holdings.ListTouched(caller.Forward(ctx), &activityv1.ListTouchedRequest{Account: chainID + ":" + owner.String()})
	if err != nil {
		return nil, indexError(chainID, err)
	}
	for _, t := range res.GetContracts() {
		contract, err := evm.ParseAddress(t.GetAddress())
		if err != nil || t.GetStandard() != "erc1155" {
			continue
		}
		e := Edition{Contract: contract}
		for _, text := range t.GetTokenIds() {
			if id := tokenID(text); id != nil {
				e.IDs = append(e.IDs, id)
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// indexError wraps the error of an index that does not answer. Others, such as that of a caller with too many new accounts, stay as they are.
func indexError(chainID string, err error) error {
	if code := status.Code(err); code == codes.Unavailable || code == codes.DeadlineExceeded {
		return unavailable(chainID, err)
	}
	return err
}

// PriceSource returns prices of tokens; [balancesv1.BalancesServiceClient] implements it.
type PriceSource interface {
	ListPrices(ctx context.Context, r *balancesv1.ListPricesRequest, opts ...grpc.CallOption) (*balancesv1.ListPricesResponse, error)
	GetBalance(ctx context.Context, r *balancesv1.GetBalanceRequest, opts ...grpc.CallOption) (*balancesv1.GetBalanceResponse, error)
}

// priceTable implements [Prices] with the balances service.
type priceTable struct{ source PriceSource }

// Prices implements [Prices].
func (p priceTable) Prices(ctx context.Context, currency string, ids []string) map[string]float64 {
	ctx, cancel := context.WithTimeout(caller.Forward(ctx), pricesTimeout)
	defer cancel()
	prices := map[string]float64{}
	for some := range slices.Chunk(ids, pricesPerCall) {
		res, err := p.source.ListPrices(ctx, &balancesv1.ListPricesRequest{Currency: currency, Addresses: some})
		if err != nil {
			return prices
		}
		for _, f := range res.GetFungibles() {
			prices[f.GetAddress()] = f.GetPrice()
		}
	}
	return prices
}

// PricesHeld implements [HeldPrices]. ListPrices has the prices of Solana in US dollars only.
func (p priceTable) PricesHeld(ctx context.Context, chainID, owner, currency string, ids []string) map[string]float64 {
	if currency == defaultCurrency || len(ids) == 0 {
		return p.Prices(ctx, currency, ids)
	}
	ctx, cancel := context.WithTimeout(caller.Forward(ctx), pricesTimeout)
	defer cancel()
	prices := map[string]float64{}
	res, err := p.source.GetBalance(ctx, &balancesv1.GetBalanceRequest{Address: owner, ChainId: chainID, Currency: currency})
	if err != nil {
		return prices
	}
	for _, b := range res.GetBalances() {
		// A price that is not known is 0.
		if b.GetPrice() > 0 && slices.Contains(ids, b.GetAddress()) {
			prices[b.GetAddress()] = b.GetPrice()
		}
	}
	return prices
}
