package activity

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/spam"
)

// response returns a page in the form that the client expects.
func (p Page) response(to client) *activityv1.GetHistoryResponse {
	res := &activityv1.GetHistoryResponse{Data: make([]*activityv1.Transaction, len(p.Rows)), Coverage: coverage(p.Progress)}
	for i, row := range p.Rows {
		res.Data[i] = p.transaction(row, to)
	}
	if p.Next != nil {
		next := p.Next.Cursor()
		res.Next = &next
	}
	return res
}

func coverage(progress map[string]index.Progress) *activityv1.Coverage {
	c := &activityv1.Coverage{FromBlock: map[string]string{}, NativeFromBlock: map[string]string{}}
	for chainID, p := range progress {
		c.Backfilling = c.Backfilling || p.Reading
		if p.NotStarted {
			continue
		}
		c.FromBlock[chainID] = strconv.FormatUint(p.From, 10)
		c.NativeFromBlock[chainID] = strconv.FormatUint(p.Native, 10)
	}
	return c
}

func (p Page) transaction(r Entry, to client) *activityv1.Transaction {
	m := &activityv1.Metadata{
		OperationType: string(r.Operation),
		Hash:          r.Hash.String(),
		MinedAt:       time.Unix(r.Time, 0).UTC().Format(time.RFC3339),
		SentFrom:      r.From.String(),
		Status:        "confirmed",
		// The field has 32 bits, which is more than any account has sent.
		Nonce: uint32(min(r.Nonce, 1<<32-1)),
		Chain: r.ChainID,
		Block: strconv.FormatUint(r.Block, 10),
	}
	if r.To != nil {
		m.SentTo = r.To.String()
	}
	if r.Failed {
		m.Status = "failed"
	}
	if r.Fee != nil {
		fee := r.Fee.String()
		m.Fee = &fee
	}
	m.Application = p.application(r.Row)
	t := &activityv1.Transaction{Id: r.ChainID + ":" + r.Hash.String(), Metadata: m, Spam: r.Spam}
	list := r.Transfers
	if r.Operation == index.Trade {
		list = to.order(list, r.Claims)
	}
	for i, transfer := range list {
		written := p.transfer(r.ChainID, transfer)
		written.Spam = i >= len(list)-r.Claims
		if to.appKit && r.Operation == index.Approve && isUnlimited(transfer.Units) {
			written.Quantity.Numeric = ""
		}
		t.Transfers = append(t.Transfers, written)
	}
	return t
}

// application returns the contract that a row calls: a listed token or a well-known contract. Names that other
// contracts return are not used. A plain transfer has no application.
func (p Page) application(r index.Row) *activityv1.Application {
	if r.To == nil || r.Operation == index.Send || r.Operation == index.Receive {
		return nil
	}
	if token := p.Tokens[tokenKey{r.ChainID, *r.To}]; token.Listed {
		return &activityv1.Application{Name: token.Name, IconUrl: token.Icon}
	}
	if name, ok := p.Names.Name(r.ChainID, *r.To); ok {
		return &activityv1.Application{Name: name}
	}
	return nil
}

func (p Page) transfer(chainID string, t index.Transfer) *activityv1.Transfer {
	token := p.Tokens[tokenKey{chainID, t.Contract}]
	res := &activityv1.Transfer{Direction: string(t.Direction), Sender: t.From.String(), Recipient: t.To.String()}
	address := chainID + ":" + t.Contract.String()
	switch {
	case !t.Standard.Fungible():
		res.Quantity = &activityv1.Quantity{Numeric: t.Units.String()}
		res.NftInfo = &activityv1.NftInfo{
			Name: nftName(token, t.TokenID), Flags: &activityv1.NftFlags{IsSpam: spam.NameHasLink(token.Name)}, Address: address, TokenId: t.TokenID, Standard: string(t.Standard),
		}
	default:
		res.Quantity = &activityv1.Quantity{Numeric: numeric(t.Units, token.Decimals)}
		res.FungibleInfo = &activityv1.FungibleInfo{Name: token.Name, Symbol: token.Symbol, Icon: &activityv1.Icon{Url: token.Icon}, Decimals: uint32(token.Decimals)}
		if t.Standard == index.ERC20 {
			res.FungibleInfo.Address = &address
		}
		if token.Warning != "" {
			res.FungibleInfo.Warning = &token.Warning
		}
	}
	return res
}

// nftName returns the name of the collection and the token id.
func nftName(collection index.Token, id string) string {
	name := collection.Name
	if name == "" {
		name = collection.Symbol
	}
	if id != "" {
		name += " #" + id
	}
	return strings.TrimSpace(name)
}

// numeric formats base units as whole units with all decimal places.
func numeric(units *big.Int, decimals uint8) string {
	digits := units.String()
	if decimals == 0 {
		return digits
	}
	if missing := int(decimals) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole := len(digits) - int(decimals)
	return digits[:whole] + "." + digits[whole:]
}
