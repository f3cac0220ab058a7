package execution

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Permit2 is the address of Uniswap's Permit2 on every chain with a UniversalRouter. An owner approves it for a token, and then signs for each amount that a
// spender may take.
var Permit2 = contracts.Permit2

// PermitGas bounds the additional gas of a signed approval in a swap: the verification of the signature and the write
// of the allowance.
const PermitGas = 60_000

// permit2AmountBits is the size of an amount in Permit2.
const permit2AmountBits = 160

// ErrAmountOver is returned for an amount of more than 160 bits, the size in Permit2.
var ErrAmountOver = errors.New("the amount has more than 160 bits")

// Permit2Grant is what Permit2 lets a spender take of an owner's token. It suffices only while Permit2 itself has an ERC-20 allowance.
type Permit2Grant struct {
	// Amount is in base units.
	Amount *uint256.Int
	// Expiration is the last second in which the spender may take it, in seconds since 1970.
	Expiration uint64
	// Nonce is the number of the next signature.
	Nonce uint64
	// Contract says that the owner has code, which Permit2 calls to verify signatures (EIP-1271) instead of recovering the signer.
	Contract bool
}

// Covers reports whether an amount in base units may be taken until a time.
func (g Permit2Grant) Covers(amount *uint256.Int, until time.Time) bool {
	return !g.Amount.Lt(amount) && until.Unix() >= 0 && g.Expiration >= uint64(until.Unix())
}

// Permit2 returns what Permit2 lets a spender take of an owner's token at the newest block. It fails on a chain without Permit2.
func (a *Allowances) Permit2(ctx context.Context, chainID string, token, owner, spender evm.Address) (Permit2Grant, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	stored := transaction{To: Permit2.String(), Data: hexutil.Encode(encodeCall("allowance(address,address,address)", owner, token, spender))}
	code := chainclient.Call{Method: "eth_getCode", Params: []any{owner.String(), blockTag(0)}}
	results, err := a.connect(chainID).Batch(ctx, callAt(stored, 0, nil), code)
	if err != nil {
		return Permit2Grant{}, err
	}
	words, err := results[0].Bytes()
	if err != nil {
		return Permit2Grant{}, err
	}
	if len(words) < 3*wordSize {
		return Permit2Grant{}, errNoWord
	}
	ownerCode, err := results[1].Bytes()
	if err != nil {
		return Permit2Grant{}, err
	}
	number := func(i int) *uint256.Int { return new(uint256.Int).SetBytes32(words[i*wordSize : (i+1)*wordSize]) }
	return Permit2Grant{Amount: number(0), Expiration: number(1).Uint64(), Nonce: number(2).Uint64(), Contract: len(ownerCode) > 0}, nil
}

// permit2Types are the structs of a permit of Permit2 for one token.
var permit2Types = apitypes.Types{
	"EIP712Domain": {{Name: "name", Type: "string"}, {Name: "chainId", Type: "uint256"}, {Name: "verifyingContract", Type: "address"}},
	"PermitSingle": {{Name: "details", Type: "PermitDetails"}, {Name: "spender", Type: "address"}, {Name: "sigDeadline", Type: "uint256"}},
	"PermitDetails": {
		{Name: "token", Type: "address"}, {Name: "amount", Type: "uint160"}, {Name: "expiration", Type: "uint48"}, {Name: "nonce", Type: "uint48"},
	},
}

// Permit2TypedData returns the permit (PermitSingle of Permit2) for a spender to take an amount in base units until a deadline, as JSON for
// eth_signTypedData_v4. The signature and the allowance expire together.
func Permit2TypedData(chainID string, token, spender evm.Address, amount *uint256.Int, nonce uint64, deadline time.Time) (string, error) {
	if amount.BitLen() > permit2AmountBits {
		return "", ErrAmountOver
	}
	number, err := chainNumber(chainID)
	if err != nil {
		return "", err
	}
	until := strconv.FormatInt(deadline.Unix(), 10)
	data, err := json.Marshal(map[string]any{
		"types":       permit2Types,
		"primaryType": "PermitSingle",
		"domain":      map[string]any{"name": "Permit2", "chainId": number, "verifyingContract": Permit2.String()},
		"message": map[string]any{
			"details": map[string]string{"token": token.String(), "amount": amount.Dec(), "expiration": until, "nonce": strconv.FormatUint(nonce, 10)},
			"spender": spender.String(), "sigDeadline": until,
		},
	})
	return string(data), err
}

// grant returns the call that lets a spender take an amount through Permit2 in the block of the call only.
func grant(token, spender evm.Address, amount *uint256.Int) Call {
	return Call{To: Permit2, Data: encodeCall("approve(address,address,uint160,uint48)", token, spender, amount, 0), Value: new(uint256.Int)}
}
