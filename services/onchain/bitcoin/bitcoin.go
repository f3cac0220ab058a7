// Package bitcoin has the networks of Bitcoin, and parses their addresses.
package bitcoin

import (
	"errors"
	"strings"

	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/chaincfg"
)

// networks are the known networks, whose addresses differ.
var networks = []*chaincfg.Params{&chaincfg.MainNetParams, &chaincfg.TestNet3Params, &chaincfg.TestNet4Params, &chaincfg.SigNetParams, &chaincfg.RegressionNetParams}

// ErrAddress means that a text is not an address of the network.
var ErrAddress = errors.New("the address does not belong to the network")

// Network returns the network of a CAIP-2 id: bip122 and the first 32 hex digits of the hash of its genesis block.
func Network(chainID string) (*chaincfg.Params, bool) {
	reference, ok := strings.CutPrefix(chainID, "bip122:")
	if !ok || len(reference) != 32 {
		return nil, false
	}
	for _, n := range networks {
		if strings.HasPrefix(n.GenesisHash.String(), reference) {
			return n, true
		}
	}
	return nil, false
}

// ParseAddress parses an address of a network. A SegWit address may be in lower or upper case. It fails with
// [ErrAddress].
func ParseAddress(params *chaincfg.Params, text string) (btcutil.Address, error) {
	address, err := btcutil.DecodeAddress(text, params)
	if err != nil || !address.IsForNet(params) {
		return nil, ErrAddress
	}
	// A program of an unknown version or size would be encoded as another address.
	if !strings.EqualFold(address.EncodeAddress(), text) {
		return nil, ErrAddress
	}
	if _, isKey := address.(*btcutil.AddressPubKey); isKey {
		return nil, ErrAddress
	}
	return address, nil
}
