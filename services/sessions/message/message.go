// Package message converts between the messages of the API and the types of sessions.
package message

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/sessions/grant"
	"github.com/hawser-dev/hawser/services/sessions/operation"
	"github.com/hawser-dev/hawser/services/sessions/proof"
	"github.com/hawser-dev/hawser/services/sessions/record"
)

// PublicKey returns the public key in the form of a version of the API.
func PublicKey(key account.Key, version string) string {
	digits := hex.EncodeToString(key.PublicKey())
	if version != "2" {
		digits = hex.EncodeToString([]byte(digits))
	}
	return "0x" + digits
}

// maxTerms bounds signer, permissions and policies, in bytes of JSON.
const maxTerms = 32 << 10

// Terms returns the terms of a request or a grant. It fails with [grant.ErrMalformed] if they are too large.
func Terms(r interface {
	GetExpiry() uint32
	GetSigner() *sessionsv1.Signer
	GetPermissions() []*sessionsv1.Permission
	GetPolicies() []*sessionsv1.Policy
}) (t record.Terms, err error) {
	t.Expiry = r.GetExpiry()
	if t.Signer, err = encoded(r.GetSigner().GetData()); err != nil {
		return t, err
	}
	if t.Permissions, err = items(r.GetPermissions()); err != nil {
		return t, err
	}
	if t.Policies, err = items(r.GetPolicies()); err != nil {
		return t, err
	}
	size := len(t.Signer)
	for _, item := range slices.Concat(t.Permissions, t.Policies) {
		size += len(item.Type) + len(item.Data)
	}
	if size > maxTerms {
		return t, fmt.Errorf("%w: signer, permissions and policies are over %d bytes", grant.ErrMalformed, maxTerms)
	}
	return t, nil
}

// Proof returns the proof in a message, or the one in its text form.
func Proof(p *sessionsv1.AccountProof, text string) (given proof.Proof, err error) {
	if p == nil {
		return proof.Parse(text)
	}
	nonce, err := hexutil.Decode(p.GetNonce())
	if err != nil || len(nonce) != len(given.Nonce) {
		return given, proof.ErrMalformed
	}
	given.Nonce, given.Deadline = [32]byte(nonce), p.GetDeadline()
	if given.Signature, err = hexutil.Decode(p.GetSignature()); err != nil {
		return given, proof.ErrMalformed
	}
	return given, nil
}

func items[T interface {
	GetType() string
	GetData() *structpb.Value
}](list []T) ([]grant.Item, error) {
	found := make([]grant.Item, len(list))
	for i, p := range list {
		data, err := encoded(p.GetData())
		if err != nil {
			return nil, err
		}
		found[i] = grant.Item{Type: p.GetType(), Data: data}
	}
	return found, nil
}

// encoded returns a value as JSON: null if it is absent.
func encoded(v *structpb.Value) (json.RawMessage, error) {
	if v.GetKind() == nil {
		return json.RawMessage("null"), nil
	}
	return v.MarshalJSON()
}

// Value returns JSON as a message.
func Value(raw []byte) (*structpb.Value, error) {
	v := &structpb.Value{}
	return v, v.UnmarshalJSON(raw)
}

// Call returns the call of a message.
func Call(c *sessionsv1.SessionCall) (call delegation.Call, err error) {
	if call.To, err = request.Address("to", c.GetTo()); err != nil {
		return call, err
	}
	call.Value = new(big.Int)
	if digits := strings.TrimPrefix(c.GetValue(), "0x"); digits != "" {
		// The digits were validated.
		call.Value.SetString(digits, 16)
	}
	call.Data = common.FromHex(c.GetData())
	return call, nil
}

// Operation returns an operation in the form of the API.
func Operation(o *userop.Operation) *bundlerv1.UserOperation {
	p := &bundlerv1.UserOperation{
		Sender: o.Sender.Hex(), Nonce: o.Nonce.Hex(), CallData: hexutil.Encode(o.CallData), CallGasLimit: o.CallGasLimit.Hex(),
		VerificationGasLimit: o.VerificationGasLimit.Hex(), PreVerificationGas: o.PreVerificationGas.Hex(), MaxFeePerGas: o.MaxFeePerGas.Hex(),
		MaxPriorityFeePerGas: o.MaxPriorityFeePerGas.Hex(), Signature: hexutil.Encode(o.Signature),
	}
	if len(o.Factory) > 0 {
		p.Factory, p.FactoryData = hexutil.Encode(o.Factory), hexutil.Encode(o.FactoryData)
	}
	if len(o.Paymaster) > 0 {
		p.Paymaster, p.PaymasterData = hexutil.Encode(o.Paymaster), hexutil.Encode(o.PaymasterData)
		p.PaymasterVerificationGasLimit, p.PaymasterPostOpGasLimit = o.PaymasterVerificationGasLimit.Hex(), o.PaymasterPostOpGasLimit.Hex()
	}
	return p
}

// ParseOperation returns the user operation of a message.
func ParseOperation(p *bundlerv1.UserOperation) (*userop.Operation, error) {
	if p == nil {
		return nil, fmt.Errorf("%w: it is missing", userop.ErrInvalid)
	}
	raw, err := protojson.Marshal(p)
	if err != nil {
		return nil, err
	}
	return userop.Parse(raw)
}

// Receipt returns the message of a receipt.
func Receipt(r *operation.Receipt) *bundlerv1.CallsReceipt {
	p := &bundlerv1.CallsReceipt{
		Status: "0x0", BlockHash: r.Receipt.BlockHash.Hex(), BlockNumber: hexutil.EncodeUint64(uint64(r.Receipt.BlockNumber)),
		GasUsed: hexutil.EncodeUint64(uint64(r.Receipt.GasUsed)), TransactionHash: r.Receipt.TransactionHash.Hex(),
	}
	if r.Success {
		p.Status = "0x1"
	}
	for _, l := range r.Logs {
		log := &bundlerv1.CallsLog{Address: l.Address.Hex(), Data: hexutil.Encode(l.Data)}
		for _, topic := range l.Topics {
			log.Topics = append(log.Topics, topic.Hex())
		}
		p.Logs = append(p.Logs, log)
	}
	return p
}
