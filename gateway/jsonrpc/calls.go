package jsonrpc

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/hawser-dev/hawser/gateway/access"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// sessionCalls answers the methods that prepare, send and follow calls of sessions.
type sessionCalls struct {
	sessions sessionsv1.SessionCallsServiceClient
}

// operationType is the type of prepared calls.
const operationType = "user-operation-v07"

// preparedCalls are what a site's key signs.
type preparedCalls struct {
	Type    string          `json:"type"`
	Data    json.RawMessage `json:"data"`
	ChainID string          `json:"chainId"`
}

type prepareCalls struct {
	From    string `json:"from"`
	ChainID string `json:"chainId"`
	Calls   []struct {
		To    string `json:"to"`
		Value string `json:"value"`
		Data  string `json:"data"`
	} `json:"calls"`
	Capabilities struct {
		Permissions struct {
			Context string `json:"context"`
		} `json:"permissions"`
		Paymaster struct {
			URL string `json:"url"`
		} `json:"paymasterService"`
	} `json:"capabilities"`
}

// prepare answers wallet_prepareCalls.
func (c sessionCalls) prepare(ctx context.Context, raw json.RawMessage) (any, *methodError) {
	var params []prepareCalls
	if !decodeParams(raw, &params) || len(params) != 1 {
		return nil, refused(codeInvalidParams, "Invalid params: not [{from, chainId, calls, capabilities}]")
	}
	p := params[0]
	chain, ok := caipOf(p.ChainID)
	if !ok {
		return nil, refused(codeInvalidParams, "Invalid params: chainId is not 0x and hex digits")
	}
	req := &sessionsv1.PrepareCallsRequest{
		Account: chain + ":" + p.From, Pci: p.Capabilities.Permissions.Context, PaymasterUrl: p.Capabilities.Paymaster.URL,
	}
	for _, call := range p.Calls {
		req.Calls = append(req.Calls, &sessionsv1.SessionCall{To: call.To, Value: call.Value, Data: call.Data})
	}
	res, err := c.sessions.PrepareCalls(ctx, req)
	if err != nil {
		return nil, callFailure(codePrepareCalls, err)
	}
	operation, err := protojson.Marshal(res.GetUserOperation())
	if err != nil {
		return nil, callFailure(codePrepareCalls, err)
	}
	return []any{map[string]any{
		"preparedCalls":    preparedCalls{operationType, operation, p.ChainID},
		"signatureRequest": map[string]string{"hash": res.GetHash()},
		"context":          req.GetPci(),
	}}, nil
}

// send answers wallet_sendPreparedCalls.
func (c sessionCalls) send(ctx context.Context, raw json.RawMessage) (any, *methodError) {
	var params []struct {
		Prepared  preparedCalls `json:"preparedCalls"`
		Signature string        `json:"signature"`
		Context   string        `json:"context"`
	}
	if !decodeParams(raw, &params) || len(params) != 1 || params[0].Prepared.Type != operationType {
		return nil, refused(codeInvalidParams, "Invalid params: not [{preparedCalls, signature, context}]")
	}
	p := params[0]
	chain, ok := caipOf(p.Prepared.ChainID)
	operation := &bundlerv1.UserOperation{}
	if !ok || (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(p.Prepared.Data, operation) != nil {
		return nil, refused(codeInvalidParams, "Invalid params: preparedCalls is malformed")
	}
	res, err := c.sessions.SendPreparedCalls(ctx, &sessionsv1.SendPreparedCallsRequest{
		ChainId: chain, Pci: p.Context, UserOperation: operation, Signature: p.Signature,
	})
	if err != nil {
		return nil, callFailure(codeSendPreparedCalls, err)
	}
	id, err := json.Marshal(callID{p.Prepared.ChainID, res.GetUserOperationHash()})
	if err != nil {
		return nil, callFailure(codeSendPreparedCalls, err)
	}
	return []string{"0x" + hex.EncodeToString(id)}, nil
}

// callID is the decoded id of prepared calls.
type callID struct {
	ChainID       string `json:"chain_id"`
	OperationHash string `json:"user_op_hash"`
}

type callsReceipt struct {
	Logs            []callsLog `json:"logs"`
	Status          string     `json:"status"`
	ChainID         string     `json:"chainId"`
	BlockHash       string     `json:"blockHash"`
	BlockNumber     string     `json:"blockNumber"`
	GasUsed         string     `json:"gasUsed"`
	TransactionHash string     `json:"transactionHash"`
}

type callsLog struct {
	Address string   `json:"address"`
	Data    string   `json:"data"`
	Topics  []string `json:"topics"`
}

// status answers wallet_getCallsStatus.
func (c sessionCalls) status(ctx context.Context, raw json.RawMessage) (any, *methodError) {
	var params []string
	var id callID
	if !decodeParams(raw, &params) || len(params) != 1 {
		return nil, refused(codeInvalidParams, "Invalid params: not [id]")
	}
	text, err := hex.DecodeString(strings.TrimPrefix(params[0], "0x"))
	chain, ok := "", false
	if err == nil && json.Unmarshal(text, &id) == nil {
		chain, ok = caipOf(id.ChainID)
	}
	if !ok {
		return nil, refused(codeGetCallsStatus, "The id is not one of wallet_sendPreparedCalls")
	}
	res, err := c.sessions.GetPreparedCalls(ctx, &sessionsv1.GetPreparedCallsRequest{ChainId: chain, UserOperationHash: id.OperationHash})
	if err != nil {
		return nil, callFailure(codeGetCallsStatus, err)
	}
	r := res.GetReceipt()
	if r == nil {
		return map[string]any{"status": "PENDING", "receipts": nil}, nil
	}
	receipt := callsReceipt{
		Logs: []callsLog{}, Status: r.GetStatus(), ChainID: id.ChainID, BlockHash: r.GetBlockHash(), BlockNumber: r.GetBlockNumber(),
		GasUsed: r.GetGasUsed(), TransactionHash: r.GetTransactionHash(),
	}
	for _, l := range r.GetLogs() {
		receipt.Logs = append(receipt.Logs, callsLog{l.GetAddress(), l.GetData(), l.GetTopics()})
	}
	return map[string]any{"status": "CONFIRMED", "receipts": []callsReceipt{receipt}}, nil
}

// decodeParams decodes the parameters of a method.
func decodeParams(raw json.RawMessage, into any) bool {
	d := json.NewDecoder(io.LimitReader(bytes.NewReader(raw), access.BodyLimit))
	return d.Decode(into) == nil
}

// caipOf returns the CAIP-2 id of a chain of eip155 by its number in hex.
func caipOf(number string) (string, bool) {
	digits, ok := strings.CutPrefix(number, "0x")
	n, err := strconv.ParseUint(digits, 16, 63)
	return "eip155:" + strconv.FormatUint(n, 10), ok && err == nil
}

// callFailure returns the error of a call of a service: with the code of the method if the caller can do something about it.
func callFailure(code int, err error) *methodError {
	f := fault.From(err)
	switch f.Code {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.Unauthenticated, codes.PermissionDenied, codes.NotFound, codes.ResourceExhausted:
		e := refused(code, f.Public)
		if f.RetryAfter > 0 {
			e.status = http.StatusTooManyRequests
		}
		e.Data = map[string]string{"reason": fault.ReasonName(f.Reason)}
		if f.Reason == faultv1.Reason_REASON_UNSPECIFIED {
			e.Data = nil
		}
		return e
	}
	return &methodError{Code: codeInternal, Message: f.Public, status: http.StatusInternalServerError}
}
