package convert

import (
	"context"
	"fmt"
	"time"

	"github.com/holiman/uint256"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
)

// accountTimeout bounds one reading of an account or a token.
const accountTimeout = 3 * time.Second

// ledger reads what accounts hold.
type ledger struct {
	connect func(chainID string) chainclient.Transport
	reader  *evm.Reader
}

// Balance is what an account holds of a token, in base units.
func (l ledger) Balance(ctx context.Context, chainID string, token, owner evm.Address) (*uint256.Int, error) {
	if token != evm.Native {
		return l.word(ctx, chainID, token, append(evm.Selector("balanceOf(address)"), evm.Word(owner)...))
	}
	r, err := l.ask(ctx, chainID, chainclient.Call{Method: "eth_getBalance", Params: []any{owner.String(), "latest"}})
	if err != nil {
		return nil, err
	}
	wei, err := r.Quantity()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return uint256.MustFromBig(wei), nil
}

// Facts are what a contract says of itself as a token; nil for one that is none.
func (l ledger) Facts(ctx context.Context, chainID string, token evm.Address) (*evm.TokenFact, error) {
	ctx, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	reading, err := l.reader.Read(ctx, chainID, evm.TokenFacts([]evm.Address{token}))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return evm.ReadTokenFacts(reading.Answers)[0], nil
}

// Decimals is how many decimal places a token's unit has.
func (l ledger) Decimals(ctx context.Context, chainID string, token evm.Address) (uint8, error) {
	n, err := l.word(ctx, chainID, token, evm.Selector("decimals()"))
	if err != nil {
		return 0, err
	}
	if !n.IsUint64() || n.Uint64() > 255 {
		return 0, &NotTokenError{token, nil}
	}
	return uint8(n.Uint64()), nil
}

// word asks a contract for one number; a NotTokenError where it gives none.
func (l ledger) word(ctx context.Context, chainID string, contract evm.Address, data []byte) (*uint256.Int, error) {
	tx := map[string]string{"to": contract.String(), "data": hexutil.Encode(data)}
	r, err := l.ask(ctx, chainID, chainclient.Call{Method: "eth_call", Params: []any{tx, "latest"}})
	if err != nil {
		return nil, err
	}
	answer, err := r.Bytes()
	if err != nil || len(answer) < wordSize {
		return nil, &NotTokenError{contract, err}
	}
	return new(uint256.Int).SetBytes32(answer[:wordSize]), nil
}

func (l ledger) ask(ctx context.Context, chainID string, q chainclient.Call) (chainclient.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	results, err := l.connect(chainID).Batch(ctx, q)
	if err != nil {
		return chainclient.Result{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return results[0], nil
}

// wordSize is the EVM's, in bytes.
const wordSize = 32
