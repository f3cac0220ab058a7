package access

import (
	"context"
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

var (
	allowanceCall   = calldata.Parse("allowance(address,address)")
	permit2Call     = calldata.Parse("allowance(address,address,address)")
	approvedCall    = calldata.Parse("getApproved(uint256)")
	ownerCall       = calldata.Parse("ownerOf(uint256)")
	operatorCall    = calldata.Parse("isApprovedForAll(address,address)")
	permit2Answer   = calldata.Types("(uint160,uint48,uint48)")
	halfOf256       = new(big.Int).Lsh(big.NewInt(1), 255)
	halfOf160       = new(big.Int).Lsh(big.NewInt(1), 159)
	wordSize        = uint16(32)
	permit2Size     = 3 * wordSize
	queriesOfRights = map[Kind]int{Allowance: 1, Permit2: 1, NFT: 2, Operator: 1}
)

// right is a candidate that holds now.
type right struct {
	Candidate
	// units are what the spender may move; 1 for an NFT, nil for an Operator.
	units *big.Int
	// expires is the last second of a right of Permit2, in seconds since 1970.
	expires uint64
}

// rights reads which candidates hold now.
func (l *lister) rights(ctx context.Context, chainID string, owner evm.Address, list []Candidate) ([]right, error) {
	var queries []evm.Query
	for _, c := range list {
		queries = append(queries, c.queries(owner)...)
	}
	reading, err := l.reader.Read(ctx, chainID, queries)
	if err != nil {
		return nil, unavailable(chainID, err)
	}
	answers := reading.Answers
	var rights []right
	for _, c := range list {
		n := queriesOfRights[c.Kind]
		if r, ok := c.right(owner, answers[:n], uint64(max(reading.At.Unix(), 0))); ok {
			rights = append(rights, r)
		}
		answers = answers[n:]
	}
	return rights, nil
}

// queries returns the calls that tell whether the candidate holds, as many as queriesOfRights says.
func (c Candidate) queries(owner evm.Address) []evm.Query {
	query := func(contract evm.Address, keep uint16, call []byte) evm.Query {
		return evm.Query{Call: call, Keep: keep, Targets: []evm.Address{contract}}
	}
	switch c.Kind {
	case Allowance:
		return []evm.Query{query(c.Contract, wordSize, allowanceCall.Write(owner, c.Spender))}
	case Permit2:
		return []evm.Query{query(contracts.Permit2, permit2Size, permit2Call.Write(owner, c.Contract, c.Spender))}
	case NFT:
		return []evm.Query{query(c.Contract, wordSize, approvedCall.Write(c.TokenID)), query(c.Contract, wordSize, ownerCall.Write(c.TokenID))}
	case Operator:
		return []evm.Query{query(c.Contract, wordSize, operatorCall.Write(owner, c.Spender))}
	default:
		return nil
	}
}

// right returns what the answers to the candidate's queries say, at a time in seconds since 1970; false if it does not hold.
func (c Candidate) right(owner evm.Address, answers [][]evm.Answer, now uint64) (r right, holds bool) {
	r.Candidate = c
	switch c.Kind {
	case Allowance:
		r.units, holds = answers[0][0].Amount()
		return r, holds && r.units.Sign() > 0
	case Permit2:
		stored, ok := permit2Answer.Read(answers[0][0].Data)
		if !ok {
			return r, false
		}
		r.units, r.expires = stored.At(0).Int(), stored.At(1).Int().Uint64()
		return r, r.units.Sign() > 0 && r.expires >= now
	case NFT:
		spender, isSet := answers[0][0].Address()
		holder, isHeld := answers[1][0].Address()
		r.Spender, r.units = spender, big.NewInt(1)
		return r, isSet && isHeld && holder == owner && spender != evm.Address{}
	case Operator:
		flag, ok := answers[0][0].Amount()
		return r, ok && flag.Sign() > 0
	default:
		return r, false
	}
}

// approval returns what a right is to; false if the token does not return the account's balance.
func (r right) approval(h holding) (a Approval, ok bool) {
	a = Approval{Kind: r.Kind, Allowance: r.units, AtRisk: r.units, ExpiresAt: r.expires, ChangedAt: r.ChangedAt, ChangedBy: r.ChangedBy}
	switch r.Kind {
	case Allowance:
		if h.balance == nil {
			return a, false
		}
		a.Unlimited, a.AtRisk = isUnlimited(r.units, halfOf256, h.supply), least(r.units, h.balance)
	case Permit2:
		if h.balance == nil {
			return a, false
		}
		a.Unlimited, a.AtRisk = isUnlimited(r.units, halfOf160, h.supply), least(r.units, h.balance, h.forPermit2)
	case NFT:
		a.TokenID = r.TokenID.String()
	case Operator:
		a.Unlimited, a.AtRisk = true, h.nfts()
	}
	return a, true
}

// isUnlimited reports whether an allowance is no limit in practice: at least half of the largest one, or at least the supply, if that is known.
func isUnlimited(units, half, supply *big.Int) bool {
	return units.Cmp(half) >= 0 || supply != nil && units.Cmp(supply) >= 0
}

// least returns the smallest amount. An amount that is not known counts as none.
func least(amounts ...*big.Int) *big.Int {
	smallest := amounts[0]
	for _, n := range amounts {
		if n == nil {
			return new(big.Int)
		}
		if n.Cmp(smallest) < 0 {
			smallest = n
		}
	}
	return smallest
}
