package names

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/sns"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// maxCall bounds the call data of a lookup, in bytes: a name, the key of a record, and their ABI encoding.
const maxCall = 4 << 10

// AnswerLookup answers an off-chain lookup of a resolver contract (ERC-3668). It signs for any contract: a contract
// that does not trust the key ignores the answer, and a contract that trusts it is for the installation's zones.
func (s *server) AnswerLookup(ctx context.Context, r *namesv1.AnswerLookupRequest) (*namesv1.AnswerLookupResponse, error) {
	resolver, err := request.Address("sender", r.GetSender())
	if err != nil {
		return nil, err
	}
	call, err := readCall(r.GetData())
	if err != nil {
		return nil, err
	}
	questions, err := ens.ReadCall(call)
	if err != nil {
		return nil, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "data", "Not a call of resolve(bytes,bytes) with a name and a question about it")
	}
	record, err := s.registry.Answer(ctx, questions)
	if err != nil {
		return nil, explain(err)
	}
	expires := s.registry.Now().Add(s.lifetime)
	return &namesv1.AnswerLookupResponse{Data: hexutil.Encode(s.key.Answer(resolver, call, record, expires))}, nil
}

// readCall parses 0x and hex digits, with the suffix of URL templates.
func readCall(text string) ([]byte, error) {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(text, ".json"), "0x")
	call, err := hex.DecodeString(digits)
	if !ok || err != nil || len(call) > maxCall {
		return nil, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "data", "Not 0x and at most %d bytes in hex digits", maxCall)
	}
	return call, nil
}

// ResolveName returns the address of any name.
func (s *server) ResolveName(ctx context.Context, r *namesv1.ResolveNameRequest) (*namesv1.ResolveNameResponse, error) {
	coin := s.meant(r)
	to, err := resolvers{s.registry, s.destinations, s.solana}.resolve(ctx, r.GetName(), coin)
	if e, ok := errors.AsType[*registry.CoinTypeError](err); ok {
		return nil, request.Invalid(faultv1.Reason_REASON_COIN_TYPE_UNSUPPORTED, "coinType", "Unsupported coin type: %d", e.CoinType)
	}
	if errors.Is(err, ErrNoAddress) {
		return nil, absent("name", "Name has no address for coin type %d: %.*s", coin, maxShownName, r.GetName())
	}
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.ResolveNameResponse{
		Name: to.Name, Address: to.Address, CoinType: uint32(to.CoinType), Source: string(to.Source),
	}, nil
}

// meant returns the coin type of a request; if it has none, that of Solana for names of Solana, and otherwise that of
// Ethereum.
func (s *server) meant(r *namesv1.ResolveNameRequest) registry.CoinType {
	name := lowerASCII(r.GetName())
	switch {
	case r.CoinType != nil:
		return registry.CoinType(r.GetCoinType())
	case sns.Ours(name) && !s.registry.Zones.Hold(name):
		return solanaCoin
	}
	return registry.Ether
}

// GetPrimaryName returns the name by which a Solana account is shown.
func (s *server) GetPrimaryName(ctx context.Context, r *namesv1.GetPrimaryNameRequest) (*namesv1.GetPrimaryNameResponse, error) {
	account, err := svm.ParseAddress(r.GetAddress())
	if err != nil {
		return nil, request.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid")
	}
	name, err := s.solana.PrimaryOf(ctx, account)
	if err != nil {
		return nil, explain(err)
	}
	res := &namesv1.GetPrimaryNameResponse{}
	if name != "" {
		res.Name = &name
	}
	return res, nil
}
