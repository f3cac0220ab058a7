package classifier

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// withoutReturns leaves out of the account's native moves what came back to it, if it is the sender.
func withoutReturns(list []move, account evm.Address, own, operated bool) []move {
	if operated {
		list = withoutPrefund(list, account)
	}
	if own || operated {
		list = net(list, account)
	}
	return list
}

// withoutPrefund leaves out what the account of a user operation paid to the EntryPoint, which is its fee or stays there for later fees.
func withoutPrefund(list []move, account evm.Address) (rest []move) {
	for _, m := range list {
		if m.from != account || !calls.IsEntryPoint(m.to) {
			rest = append(rest, m)
		}
	}
	return rest
}

// net subtracts what came back to the account in the same transaction from what it sent, or the reverse if more came in.
func net(list []move, account evm.Address) (rest []move) {
	in, out := new(big.Int), new(big.Int)
	for _, m := range list {
		switch {
		case m.from == m.to:
		case m.to == account:
			in.Add(in, m.units)
		case m.from == account:
			out.Add(out, m.units)
		}
	}
	back := in
	if in.Cmp(out) > 0 {
		back = out
	}
	if back.Sign() == 0 {
		return list
	}
	leftIn, leftOut := new(big.Int).Set(back), new(big.Int).Set(back)
	for _, m := range list {
		left := leftOut
		if m.to == account {
			left = leftIn
		}
		if m.from != m.to && (m.to == account || m.from == account) {
			part := m.units
			if part.Cmp(left) > 0 {
				part = new(big.Int).Set(left)
			}
			left.Sub(left, part)
			if m.units = new(big.Int).Sub(m.units, part); m.units.Sign() == 0 {
				continue
			}
		}
		rest = append(rest, m)
	}
	return rest
}
