package rpc

import (
	"encoding/json"
	"errors"
)

// ParseSlot parses the newest slot in a Solana node's whole response to getLatestBlockhash. Its hash is the slot's
// blockhash. The parent and the timestamp, which would require a call each, stay empty.
func ParseSlot(response []byte) (Head, error) {
	var read struct {
		Result *struct {
			Context struct {
				Slot uint64 `json:"slot"`
			} `json:"context"`
			Value struct {
				Blockhash string `json:"blockhash"`
			} `json:"value"`
		} `json:"result"`
	}
	if err := json.Unmarshal(response, &read); err != nil || read.Result == nil {
		return Head{}, errors.New("the node returned no slot")
	}
	if read.Result.Context.Slot == 0 || read.Result.Value.Blockhash == "" {
		return Head{}, errors.New("the slot has no number or no blockhash")
	}
	return Head{Number: read.Result.Context.Slot, Hash: read.Result.Value.Blockhash}, nil
}

// ParseSubstrateHeader parses the newest block in a Polkadot node's whole response to chain_getHeader, which has the
// number and the parent's hash. The hash, which would require a second call, stays empty.
func ParseSubstrateHeader(response []byte) (Head, error) {
	var read struct {
		Result *struct {
			Number     string `json:"number"`
			ParentHash string `json:"parentHash"`
		} `json:"result"`
	}
	if err := json.Unmarshal(response, &read); err != nil || read.Result == nil {
		return Head{}, errors.New("the node returned no header")
	}
	number, ok := ParseQuantity(read.Result.Number)
	if !ok || len(read.Result.ParentHash) != hashLength {
		return Head{}, errors.New("the header has no number or no parent")
	}
	return Head{Number: number, ParentHash: read.Result.ParentHash}, nil
}
