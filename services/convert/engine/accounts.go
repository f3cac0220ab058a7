package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// accountTimeout bounds one read of an account or a token.
	accountTimeout = 3 * time.Second
	// wordSize is the size of an EVM word in bytes.
	wordSize = 32
)

// AccountReader reads balances and token metadata from a chain's nodes.
type AccountReader struct {
	connect func(chainID string) chainclient.Transport
	reader  *evm.Reader
}

// NewAccountReader returns a reader that reaches the nodes of a CAIP-2 chain through connect.
func NewAccountReader(connect func(chainID string) chainclient.Transport) AccountReader {
	return AccountReader{connect, evm.NewReader(connect)}
}

// Balance returns an account's balance of a token in base units. It fails with [ErrUnavailable] or a [NotTokenError].
func (a AccountReader) Balance(ctx context.Context, chainID string, token, owner evm.Address) (*uint256.Int, error) {
	if token != evm.Native {
		return a.number(ctx, chainID, token, append(evm.Selector("balanceOf(address)"), evm.Word(owner)...))
	}
	r, err := a.call(ctx, chainID, chainclient.Call{Method: "eth_getBalance", Params: []any{owner.String(), "latest"}})
	if err != nil {
		return nil, err
	}
	wei, err := r.Quantity()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return uint256.MustFromBig(wei), nil
}

// Facts returns a contract's name, symbol and decimals; nil for a contract that is not an ERC-20.
func (a AccountReader) Facts(ctx context.Context, chainID string, token evm.Address) (*evm.TokenFact, error) {
	ctx, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	reading, err := a.reader.Read(ctx, chainID, evm.TokenFacts([]evm.Address{token}))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return evm.ReadTokenFacts(reading.Answers)[0], nil
}

// number calls a contract for one uint256.
func (a AccountReader) number(ctx context.Context, chainID string, contract evm.Address, data []byte) (*uint256.Int, error) {
	tx := map[string]string{"to": contract.String(), "data": hexutil.Encode(data)}
	r, err := a.call(ctx, chainID, chainclient.Call{Method: "eth_call", Params: []any{tx, "latest"}})
	if err != nil {
		return nil, err
	}
	answer, err := r.Bytes()
	if err != nil || len(answer) < wordSize {
		return nil, &NotTokenError{contract, err}
	}
	return new(uint256.Int).SetBytes32(answer[:wordSize]), nil
}

func (a AccountReader) call(ctx context.Context, chainID string, c chainclient.Call) (chainclient.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	results, err := a.connect(chainID).Batch(ctx, c)
	if err != nil {
		return chainclient.Result{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return results[0], nil
}
