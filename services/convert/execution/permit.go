package execution

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// ErrPermit says that a text is no signed approval.
var ErrPermit = errors.New("not a permit: want a signature of 65 bytes, value and deadline, or the arguments of permit(), in hex")

const (
	signatureSize = 65
	// shortPermit is a signature, then two words: value and deadline.
	shortPermit = signatureSize + 2*wordSize
	// longPermit is what permit() takes: owner, spender, value, deadline, v, r, s.
	longPermit = 7 * wordSize
)

// Permit is an approval that the owner has signed (EIP-2612). The router hands it to the token at the beginning of the swap.
type Permit struct {
	// Value is the allowance in base units.
	Value *uint256.Int
	// Deadline is until when it can be handed in, in seconds since 1970.
	Deadline *uint256.Int
	V        uint8
	R, S     [32]byte
}

// ParsePermit reads 0x and hex digits in one of two forms: the signature of 65 bytes (r, s, v), then value and deadline as words; or the
// arguments of `permit(address,address,uint256,uint256,uint8,bytes32,bytes32)`.
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

// call hands the permit in, unless the allowance is there already: somebody may have handed it in before.
func (p *Permit) call(token evm.Address) []byte {
	return encodeCall("selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)",
		token, p.Value, p.Deadline, uint64(p.V), p.R, p.S)
}
