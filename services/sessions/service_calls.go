package sessions

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/sessions/message"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/record"
	"github.com/hawser-dev/hawser/services/sessions/session"
)

// PrepareCalls returns the user operation that makes calls of a session.
func (s *server) PrepareCalls(ctx context.Context, r *sessionsv1.PrepareCallsRequest) (*sessionsv1.PrepareCallsResponse, error) {
	n, err := s.sessionOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := session.Usable(n, s.clock.Now()); err != nil {
		return nil, explain(err)
	}
	calls := make([]delegation.Call, len(r.GetCalls()))
	for i, c := range r.GetCalls() {
		if calls[i], err = message.Call(c); err != nil {
			return nil, err
		}
	}
	data, err := s.sessions.Redeem(n, calls)
	if err != nil {
		return nil, explain(err)
	}
	account := s.sessions.Account(n, s.sessions.IsCoSigned(n))
	nonce, deployed, err := s.chain.Account(ctx, n.ChainID, n.Delegate)
	if err != nil {
		return nil, err
	}
	o := &userop.Operation{Sender: n.Delegate, CallData: data}
	o.Nonce.SetFromBig(nonce)
	if !deployed {
		o.Factory, o.FactoryData = account.Factory[:], account.FactoryData()
	}
	number := onchain.Number(n.ChainID)
	if err := s.sender.Complete(ctx, n.ChainID, number, o, len(account.Owners), r.GetPaymasterUrl()); err != nil {
		return nil, explain(err)
	}
	return &sessionsv1.PrepareCallsResponse{UserOperation: message.Operation(o), Hash: delegation.SigningHash(o, number).Hex()}, nil
}

// SendPreparedCalls adds the signature of the co-signer and sends the user operation.
func (s *server) SendPreparedCalls(ctx context.Context, r *sessionsv1.SendPreparedCallsRequest) (*sessionsv1.SendPreparedCallsResponse, error) {
	pci, err := parsePCI(r.GetPci())
	if err != nil {
		return nil, err
	}
	n, err := s.records.Find(ctx, pci)
	if err == nil && (n.Project != caller.From(ctx).Project || n.ChainID != r.GetChainId()) {
		err = record.ErrUnknown
	}
	if err != nil {
		return nil, explain(err)
	}
	o, err := message.ParseOperation(r.GetUserOperation())
	if err != nil {
		return nil, explain(err)
	}
	signature, err := hexutil.Decode(r.GetSignature())
	if err != nil {
		return nil, explain(session.ErrSiteKey)
	}
	if o.Signature, err = s.sessions.Sign(ctx, n, o, signature); err != nil {
		return nil, explain(err)
	}
	hash, err := s.sender.Send(ctx, n.ChainID, o)
	if err != nil {
		return nil, explain(err)
	}
	return &sessionsv1.SendPreparedCallsResponse{UserOperationHash: hash.Hex()}, nil
}

// GetPreparedCalls returns the status of a user operation.
func (s *server) GetPreparedCalls(ctx context.Context, r *sessionsv1.GetPreparedCallsRequest) (*sessionsv1.GetPreparedCallsResponse, error) {
	if _, ok := s.chain.Contracts(r.GetChainId()); !ok {
		return nil, request.UnsupportedChain(r.GetChainId())
	}
	receipt, err := s.sender.Receipt(ctx, r.GetChainId(), common.HexToHash(r.GetUserOperationHash()))
	if err != nil {
		return nil, explain(err)
	}
	res := &sessionsv1.GetPreparedCallsResponse{}
	if receipt == nil {
		return res, nil
	}
	res.Receipt = message.Receipt(receipt)
	return res, nil
}
