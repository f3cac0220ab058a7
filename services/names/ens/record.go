package ens

import (
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/abi"
)

// Record is what a name says to a question, as the ABI spells what the asked function returns.
type Record []byte

// None is the record of a kind that nobody knows.
var None = Record{}

// AddressRecord answers Address; the zero address says that there is none.
func AddressRecord(a evm.Address) Record { return evm.Word(a) }

// BytesRecord answers CoinAddress and ContentHash; no bytes say that there is nothing.
func BytesRecord(b []byte) Record { return abi.Spell(abi.Bytes(b)) }

// StringRecord answers Text and PrimaryName.
func StringRecord(s string) Record { return BytesRecord([]byte(s)) }

// Empty says that a name has nothing of a kind.
func Empty(k Kind) Record {
	switch k {
	case Address:
		return AddressRecord(evm.Address{})
	case CoinAddress, ContentHash, Text, PrimaryName:
		return BytesRecord(nil)
	}
	return None
}
