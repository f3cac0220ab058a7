package farcaster

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	wordSize = 32
	// authKeyType and activeState are the key type and the state of an auth address in the KeyRegistry.
	authKeyType = 2
	activeState = 1
)

// The contracts of Farcaster.
var (
	idRegistry  = evm.MustAddress("0x00000000Fc6c5F01Fc30151999387Bb99A9f489b")
	keyRegistry = evm.MustAddress("0x00000000fC1237824fb747aBDE0FF18990E59b7e")
)

// ChainRegistry is the [Registry] on a chain.
type ChainRegistry struct{ nodes chainclient.Transport }

// NewChainRegistry returns the registry that is read through nodes, several of which should have to agree.
func NewChainRegistry(nodes chainclient.Transport) *ChainRegistry { return &ChainRegistry{nodes} }

// Owns reads both registries.
func (r *ChainRegistry) Owns(ctx context.Context, fid uint64, account evm.Address) (bool, error) {
	idOf := append(evm.Selector("idOf(address)"), evm.Word(account)...)
	keyDataOf := append(evm.Selector("keyDataOf(uint256,bytes)"), word(fid)...)
	keyDataOf = append(keyDataOf, word(2*wordSize)...)
	keyDataOf = append(keyDataOf, word(wordSize)...)
	keyDataOf = append(keyDataOf, evm.Word(account)...)
	results, err := r.nodes.Batch(ctx, call(idRegistry, idOf), call(keyRegistry, keyDataOf))
	if err != nil {
		return false, err
	}
	id, err := words(results[0], 1)
	if err != nil {
		return false, err
	}
	if id[0].IsUint64() && id[0].Uint64() == fid {
		return true, nil
	}
	key, err := words(results[1], 2)
	if err != nil {
		return false, err
	}
	return key[0].Cmp(big.NewInt(activeState)) == 0 && key[1].Cmp(big.NewInt(authKeyType)) == 0, nil
}

func call(to evm.Address, data []byte) chainclient.Call {
	return chainclient.Call{Method: "eth_call", Params: []any{map[string]string{"to": to.String(), "data": hexutil.Encode(data)}, "latest"}}
}

// words reads the first n words of an answer.
func words(r chainclient.Result, n int) ([]*big.Int, error) {
	raw, err := r.Bytes()
	if err != nil {
		return nil, err
	}
	if len(raw) < n*wordSize {
		return nil, fmt.Errorf("the registry answers %d bytes", len(raw))
	}
	all := make([]*big.Int, n)
	for i := range all {
		all[i] = new(big.Int).SetBytes(raw[i*wordSize : (i+1)*wordSize])
	}
	return all, nil
}

func word(n uint64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, wordSize-8, wordSize), n)
}
