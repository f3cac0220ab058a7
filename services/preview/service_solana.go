package preview

import (
	"context"
	"encoding/base64"
	"strconv"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/plain"
	"github.com/hawser-dev/hawser/services/preview/solana"
	"github.com/hawser-dev/hawser/services/svm"
)

// simulateSolana is Simulate for Solana.
func (s *server) simulateSolana(ctx context.Context, r *previewv1.SimulateRequest) (*previewv1.SimulateResponse, error) {
	chainID, err := apiparse.ChainOf(apiparse.Solana, "chain_id", r.GetChainId())
	if err != nil {
		return nil, err
	}
	if err := s.requireServed(ctx, chainID); err != nil {
		return nil, err
	}
	owner, transaction, err := readTransaction(r)
	if err != nil {
		return nil, err
	}
	v, err := s.solana.Preview(ctx, chainID, owner, transaction)
	if err != nil {
		return nil, err
	}
	return solanaResponse(v), nil
}

func readTransaction(r *previewv1.SimulateRequest) (owner svm.Address, t solana.Transaction, err error) {
	if owner, err = apiparse.SolanaAddress("account", r.GetAccount()); err != nil {
		return owner, t, err
	}
	if r.GetTransaction() == "" || len(r.GetCalls()) > 0 || r.GetTypedData() != "" || r.GetMessage() != "" || r.GetDelegate() != "" {
		return owner, t, invalid("transaction", "A request of Solana has a transaction and nothing else")
	}
	raw, err := base64.StdEncoding.DecodeString(r.GetTransaction())
	if err == nil {
		t, err = solana.ParseTransaction(raw)
	}
	if err != nil {
		return owner, t, invalid("transaction", "The transaction is malformed")
	}
	if !t.IsSignedBy(owner) {
		return owner, t, invalid("account", "The account does not sign the transaction")
	}
	return owner, t, nil
}

// solanaOutcomes are the outcomes of the API.
var solanaOutcomes = map[solana.Outcome]previewv1.Outcome{
	solana.Succeeds:     previewv1.Outcome_OUTCOME_SUCCEEDS,
	solana.Fails:        previewv1.Outcome_OUTCOME_REVERTS,
	solana.NotSimulated: previewv1.Outcome_OUTCOME_NOT_SIMULATED,
}

func solanaResponse(v solana.Preview) *previewv1.SimulateResponse {
	res := &previewv1.SimulateResponse{Outcome: solanaOutcomes[v.Outcome], Reason: v.Reason, Cause: causeProto(v.Cause), Gas: v.Units, Warnings: warningsProto(v.Warnings)}
	if v.Fee != nil {
		res.Fee = strconv.FormatUint(*v.Fee, 10)
	}
	for _, c := range v.Changes {
		res.Changes = append(res.Changes, &previewv1.AssetChange{
			Asset: mintProto(c.Mint, v.Tokens), Outgoing: c.Outgoing, Amount: strconv.FormatUint(c.Amount, 10), Counterparty: addressText(c.Other),
		})
	}
	for _, a := range v.Approvals {
		p := &previewv1.Approval{Asset: mintProto(a.Mint, v.Tokens), Spender: a.Spender.String(), Revoked: a.Revoked}
		if !a.Unlimited() {
			p.Amount = strconv.FormatUint(a.Amount, 10)
		}
		res.Approvals = append(res.Approvals, p)
	}
	return res
}

func addressText(a svm.Address) string {
	if a == (svm.Address{}) {
		return ""
	}
	return a.String()
}

func mintProto(mint svm.Address, known map[svm.Address]solana.Token) *previewv1.Asset {
	if mint == svm.Native {
		return &previewv1.Asset{Kind: previewv1.AssetKind_ASSET_KIND_NATIVE, Decimals: svm.Decimals}
	}
	t := known[mint]
	return &previewv1.Asset{
		Kind: previewv1.AssetKind_ASSET_KIND_SPL, Contract: mint.String(), Listed: t.Listed,
		Symbol: plain.Text(t.Symbol, symbolLimit), Name: plain.Text(t.Name, nameLimit), Decimals: uint32(t.Decimals),
	}
}
