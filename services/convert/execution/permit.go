package execution

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// ErrPermit is returned for a text that is not a signed approval.
var ErrPermit = errors.New("not a permit: want a signature of 65 bytes, value and deadline, or the arguments of permit(), in hex")

const (
	signatureSize = 65
	// shortPermit is a signature, then two words: value and deadline.
	shortPermit = signatureSize + 2*wordSize
	// longPermit is the arguments of permit(): owner, spender, value, deadline, v, r, s.
	longPermit = 7 * wordSize
	// singlePermit is a signature, then four words: amount, expiration, nonce and signature deadline of Permit2's PermitSingle.
	singlePermit = signatureSize + 4*wordSize
)

// Permit is an approval that the owner has signed. The router passes it on at the beginning of the swap: to the token (EIP-2612), or to Permit2.
type Permit struct {
	// Value is the allowance in base units.
	Value *uint256.Int
	// Deadline is the latest time to pass it on, in seconds since 1970.
	Deadline *uint256.Int
	V        uint8
	R, S     [32]byte
	// Single holds the other terms of a permit of Permit2; nil for one of EIP-2612.
	Single *PermitSingle
}

// PermitSingle holds the terms that a permit of Permit2 has beside those of EIP-2612.
type PermitSingle struct {
	// Expiration is the last second in which the spender may take the amount, in seconds since 1970.
	Expiration *uint256.Int
	// Nonce is the number of the signature.
	Nonce *uint256.Int
}

// ParsePermit reads 0x and hex digits in one of three forms: the signature of 65 bytes (r, s, v), then value and deadline as words; the arguments of
// `permit(address,address,uint256,uint256,uint8,bytes32,bytes32)`; or, for Permit2, the signature, then amount, expiration, nonce and signature deadline as
// words.
func ParsePermit(text string) (*Permit, error) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || len(digits) > 2*longPermit {
		return nil, ErrPermit
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, ErrPermit
	}
	var p *Permit
	switch len(b) {
	case shortPermit:
		p = permitOf(b[65:97], b[97:129], b[64], b[:32], b[32:64])
	case longPermit:
		p = permitOf(b[64:96], b[96:128], b[159], b[160:192], b[192:224])
	case singlePermit:
		p = permitOf(b[65:97], b[161:193], b[64], b[:32], b[32:64])
		p.Single = &PermitSingle{Expiration: new(uint256.Int).SetBytes(b[97:129]), Nonce: new(uint256.Int).SetBytes(b[129:161])}
		if p.Value.BitLen() > permit2AmountBits || p.Single.Expiration.BitLen() > 48 || p.Single.Nonce.BitLen() > 48 {
			return nil, ErrPermit
		}
	default:
		return nil, ErrPermit
	}
	if p.V < 27 { // some signers count from 0
		p.V += 27
	}
	if p.V != 27 && p.V != 28 {
		return nil, ErrPermit
	}
	return p, nil
}

func permitOf(value, deadline []byte, v byte, r, s []byte) *Permit {
	return &Permit{
		Value: new(uint256.Int).SetBytes(value), Deadline: new(uint256.Int).SetBytes(deadline),
		V: v, R: [32]byte(r), S: [32]byte(s),
	}
}

// call returns the call that passes the permit to the token, unless the allowance exists already. Anyone may pass a
// permit to the token, so it may have been passed before.
func (p *Permit) call(token evm.Address) []byte {
	return encodeCall("selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)",
		token, p.Value, p.Deadline, uint64(p.V), p.R, p.S)
}

// signature returns the 65 bytes r, s, v.
func (p *Permit) signature() []byte { return slices.Concat(p.R[:], p.S[:], []byte{p.V}) }
