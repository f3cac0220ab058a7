package names

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/names/ens"
)

// maxCall is how long a look-up's call may be, in bytes: a name, a record's key, and their frame.
const maxCall = 4 << 10

// AnswerLookup answers what a resolver contract asks off its chain. It signs for whichever contract is said to ask: a contract that does not
// trust the key takes no harm, and one that does asks for our zones.
func (s *server) AnswerLookup(ctx context.Context, r *namesv1.AnswerLookupRequest) (*namesv1.AnswerLookupResponse, error) {
	resolver, err := apiparse.Address("sender", r.GetSender())
	if err != nil {
		return nil, err
	}
	call, err := readCall(r.GetData())
	if err != nil {
		return nil, err
	}
	questions, err := ens.ReadCall(call)
	if err != nil {
		return nil, apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "data", "Not a call of resolve(bytes,bytes) with a name and a question about it")
	}
	record, err := s.registry.Answer(ctx, questions)
	if err != nil {
		return nil, explain(err)
	}
	expires := s.registry.now().Add(s.lifetime)
	return &namesv1.AnswerLookupResponse{Data: hexutil.Encode(s.key.Answer(resolver, call, record, expires))}, nil
}

// readCall reads 0x and hex digits, and what URL templates put behind them.
func readCall(text string) ([]byte, error) {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(text, ".json"), "0x")
	call, err := hex.DecodeString(digits)
	if !ok || err != nil || len(call) > maxCall {
		return nil, apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "data", "Not 0x and at most %d bytes in hex digits", maxCall)
	}
	return call, nil
}
