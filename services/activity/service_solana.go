package activity

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"strconv"
	"time"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/solana"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// standardSPL is the standard of NFTs on Solana.
const standardSPL = "spl"

// getSolanaHistory is GetHistory for Solana.
func (s *server) getSolanaHistory(ctx context.Context, owner request.Owner, r *activityv1.GetHistoryRequest) (*activityv1.GetHistoryResponse, error) {
	q, err := parseSolanaQuery(owner, r)
	if err != nil {
		return nil, err
	}
	if q.ChainID == "" {
		q.ChainID, err = s.history.networks.FirstOf(ctx, request.Solana)
	}
	served := false
	if err == nil {
		q.Native, served, err = s.history.networks.Native(ctx, q.ChainID)
	}
	if err == nil && !served {
		err = errUnserved
	}
	if err != nil {
		return nil, toFault(err, q.ChainID)
	}
	if q.After != nil && q.After.ChainID != q.ChainID {
		return nil, invalidCursor()
	}
	page, err := s.solana.Page(ctx, q)
	if errors.Is(err, solana.ErrUnavailable) {
		err = errors.Join(ErrUnavailable, err)
	}
	if err != nil {
		return nil, toFault(err, q.ChainID)
	}
	return solanaResponse(q, page, clientOf(r)), nil
}

// parseSolanaQuery is [parseQuery] for Solana.
func parseSolanaQuery(owner request.Owner, r *activityv1.GetHistoryRequest) (q solana.Query, err error) {
	q.Spam, q.ChainID, q.Owner = r.GetIncludeSpam(), owner.ChainID, owner.SVM
	if r.GetCursor() != "" {
		after, err := solana.ParseCursor(r.GetCursor())
		if err != nil {
			return q, invalidCursor()
		}
		q.After = &after
	}
	return q, nil
}

func invalidCursor() error {
	return request.Invalid(faultv1.Reason_REASON_CURSOR_INVALID, "cursor", "The cursor provided is invalid")
}

func solanaResponse(q solana.Query, page solana.Page, to client) *activityv1.GetHistoryResponse {
	res := &activityv1.GetHistoryResponse{Data: make([]*activityv1.Transaction, len(page.Rows)), Coverage: coverage(nil)}
	for i, row := range page.Rows {
		res.Data[i] = solanaTransaction(q, row, page.Tokens, to)
	}
	if page.Next != nil {
		next := page.Next.Cursor()
		res.Next = &next
	}
	if page.From != nil {
		from := strconv.FormatUint(*page.From, 10)
		res.Coverage.FromBlock[q.ChainID], res.Coverage.NativeFromBlock[q.ChainID] = from, from
	}
	return res
}

func solanaTransaction(q solana.Query, row solana.Row, known map[svm.Address]solana.Token, to client) *activityv1.Transaction {
	m := &activityv1.Metadata{
		OperationType: string(row.Operation),
		Hash:          row.Signature.String(),
		MinedAt:       time.Unix(row.Time, 0).UTC().Format(time.RFC3339),
		SentFrom:      row.From.String(),
		SentTo:        solanaParty(row.To),
		Status:        "confirmed",
		Chain:         q.ChainID,
		Block:         strconv.FormatUint(row.Slot, 10),
	}
	if row.Failed {
		m.Status = "failed"
	}
	if row.Failure != "" {
		m.Error = &row.Failure
	}
	if !row.FeePayer.IsZero() {
		payer := row.FeePayer.String()
		m.FeePayer = &payer
	}
	if row.FeePayer == q.Owner {
		fee := strconv.FormatUint(row.Fee, 10)
		m.Fee = &fee
	}
	if row.Application != "" {
		m.Application = &activityv1.Application{Name: row.Application}
	}
	t := &activityv1.Transaction{Id: q.ChainID + ":" + m.Hash, Metadata: m, Spam: row.Spam}
	transfers := row.Transfers
	if row.Operation == index.Trade {
		transfers = ordered(to, transfers, func(t solana.Transfer) index.Direction { return t.Direction })
	}
	for _, transfer := range transfers {
		t.Transfers = append(t.Transfers, solanaTransfer(q.ChainID, transfer, known[transfer.Mint]))
	}
	return t
}

func solanaTransfer(chainID string, t solana.Transfer, token solana.Token) *activityv1.Transfer {
	units := new(big.Int).SetUint64(t.Units)
	address := chainID + ":" + t.Mint.String()
	res := &activityv1.Transfer{
		Direction: string(t.Direction), Sender: solanaParty(t.From), Recipient: solanaParty(t.To), Quantity: &activityv1.Quantity{Numeric: numeric(units, t.Decimals)},
	}
	if t.Rent {
		res.Rent = &t.Rent
	}
	if token.NFT {
		res.NftInfo = &activityv1.NftInfo{Name: cmp.Or(token.Name, token.Symbol), Flags: &activityv1.NftFlags{IsSpam: spam.NameHasLink(token.Name)}, Address: address, Standard: standardSPL}
		return res
	}
	res.FungibleInfo = &activityv1.FungibleInfo{Name: token.Name, Symbol: token.Symbol, Icon: &activityv1.Icon{Url: token.Icon}, Decimals: uint32(t.Decimals)}
	if t.Mint != svm.Native {
		res.FungibleInfo.Address = &address
	}
	if token.Warning != "" {
		res.FungibleInfo.Warning = &token.Warning
	}
	return res
}

// solanaParty returns an address as text; empty for the zero address, which means an unknown party here.
func solanaParty(a svm.Address) string {
	if a.IsZero() {
		return ""
	}
	return a.String()
}
