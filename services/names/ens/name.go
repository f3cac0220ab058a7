package ens

import (
	"bytes"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// readName decodes a name in DNS wire format: each label preceded by its length, and a zero at the end. Labels with a
// dot are refused.
func readName(dns []byte) (labels []string, ok bool) {
	for len(dns) > 0 && dns[0] != 0 {
		length := int(dns[0])
		if length >= len(dns) || bytes.ContainsAny(dns[1:1+length], ".\x00") {
			return nil, false
		}
		labels = append(labels, string(dns[1:1+length]))
		dns = dns[1+length:]
	}
	return labels, len(dns) == 1
}

// Node returns the namehash of a dotted name (ERC-137).
func Node(name string) [32]byte { return node(strings.Split(name, ".")) }

func node(labels []string) (hash [32]byte) {
	for i := len(labels) - 1; i >= 0; i-- {
		label := crypto.Keccak256Hash([]byte(labels[i]))
		hash = crypto.Keccak256Hash(append(hash[:], label[:]...))
	}
	return hash
}

// Account parses a reverse name (ENSIP-19), such as `f39f….addr.reverse`, into the account and its coin type (ENSIP-9).
func Account(name string) (account evm.Address, coinType uint32, ok bool) {
	labels := strings.Split(name, ".")
	if len(labels) != 3 || labels[2] != "reverse" {
		return account, 0, false
	}
	account, err := evm.ParseAddress("0x" + labels[0])
	if err != nil {
		return account, 0, false
	}
	coinType, ok = coinTypeOf(labels[1])
	return account, coinType, ok
}

// Coin types whose reverse zones have special names.
const (
	// ether is the coin type of Ethereum.
	ether = 60
	// DefaultEVM is the default of all EVM chains (ENSIP-19).
	DefaultEVM = 0x8000_0000
)

func coinTypeOf(label string) (uint32, bool) {
	switch label {
	case "addr":
		return ether, true
	case "default":
		return DefaultEVM, true
	}
	n, err := parseHex(label)
	return n, err == nil && n != ether && n != DefaultEVM
}
