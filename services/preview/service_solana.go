package preview

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
	"github.com/hawser-dev/hawser/services/preview/solana"
	"github.com/hawser-dev/hawser/services/preview/statement"
)

// simulateSolana is Simulate for Solana.
func (s *server) simulateSolana(ctx context.Context, chainID string, r *previewv1.SimulateRequest) (*previewv1.SimulateResponse, error) {
	if err := s.requireServed(ctx, chainID); err != nil {
		return nil, err
	}
	owner, err := request.SolanaAddress("account", r.GetAccount())
	if err != nil {
		return nil, err
	}
	if r.GetMessage() != "" {
		return solanaMessage(r)
	}
	list, err := readTransactions(owner, r)
	if err != nil {
		return nil, err
	}
	v, err := s.solana.Preview(ctx, chainID, owner, list)
	if err != nil {
		return nil, err
	}
	return solanaResponse(v), nil
}

// solanaMessage decodes a message that is signed without a transaction.
func solanaMessage(r *previewv1.SimulateRequest) (*previewv1.SimulateResponse, error) {
	if r.GetTransaction() != "" || len(r.GetTransactions()) > 0 || hasEVM(r) {
		return nil, invalid("message", "A request of Solana has exactly one of transaction, transactions and message")
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(r.GetMessage(), "0x"))
	if err != nil {
		return nil, invalid("message", "The message is not hex digits")
	}
	said := statement.ParseMessage(raw)
	if solana.IsMessage(raw) {
		said = statement.Statement{Kind: statement.Bytes}
	}
	var l list
	l.message(hostOf(r.GetOrigin()), said)
	return &previewv1.SimulateResponse{Outcome: previewv1.Outcome_OUTCOME_MESSAGE, Statement: statementProto(said), Warnings: warningsProto(l.List)}, nil
}

// hasEVM reports whether a request has members of eip155.
func hasEVM(r *previewv1.SimulateRequest) bool {
	return len(r.GetCalls()) > 0 || r.GetTypedData() != "" || r.GetDelegate() != ""
}

func readTransactions(owner svm.Address, r *previewv1.SimulateRequest) (list []solana.Transaction, err error) {
	encoded := r.GetTransactions()
	if r.GetTransaction() != "" {
		encoded = append([]string{r.GetTransaction()}, encoded...)
	}
	if len(encoded) == 0 || r.GetTransaction() != "" && len(encoded) > 1 || hasEVM(r) {
		return nil, invalid("transaction", "A request of Solana has exactly one of transaction, transactions and message")
	}
	if len(encoded) > maxTransactions {
		return nil, invalid("transactions", "A request has at most 10 transactions")
	}
	for _, text := range encoded {
		var t solana.Transaction
		raw, err := base64.StdEncoding.DecodeString(text)
		if err == nil {
			t, err = solana.ParseTransaction(raw)
		}
		if err != nil {
			return nil, invalid("transaction", "The transaction is malformed")
		}
		if !t.IsSignedBy(owner) {
			return nil, invalid("account", "The account does not sign the transaction")
		}
		list = append(list, t)
	}
	return list, nil
}

// maxTransactions bounds the transactions of Solana that are signed together.
const maxTransactions = 10

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
		Symbol: plaintext.Text(t.Symbol, symbolLimit), Name: plaintext.Text(t.Name, nameLimit), Decimals: uint32(t.Decimals),
	}
}
