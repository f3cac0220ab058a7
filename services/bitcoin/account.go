package bitcoin

import (
	"slices"

	"github.com/hawser-dev/hawser/services/bitcoin/esplora"
)

const (
	// maxUnspent bounds the outputs of one answer. It is also the limit of Esplora servers.
	maxUnspent = 500
	// maxCounterparties bounds the other addresses of one transaction.
	maxCounterparties = 20
	// minFeeRate is the lowest rate that servers relay, and maxFeeRate the highest that an account pays, in satoshis
	// per 1,000 virtual bytes.
	minFeeRate, maxFeeRate = 1_000, 2_000_000
)

// Movement is the effect of a transaction on an address. Amounts are in satoshis.
type Movement struct {
	ID     string
	Height uint64
	// Time is that of its block, in seconds since 1970; 0 if it is not in a block.
	Time            int64
	Spent, Received int64
	Fee             int64
	// Counterparties are the other addresses: those that it paid if it spent from the address, otherwise those that it
	// spent from.
	Counterparties []string
}

// movementOf returns the effect of a transaction on an address.
func movementOf(address string, tx esplora.Transaction) Movement {
	m := Movement{ID: tx.ID, Fee: tx.Fee}
	if tx.Status.Confirmed {
		m.Height, m.Time = tx.Status.Height, tx.Status.Time
	}
	var payers, paid []string
	for _, in := range tx.Inputs {
		if in.Output == nil {
			continue
		}
		if in.Output.Address == address {
			m.Spent += in.Output.Value
		} else {
			payers = append(payers, in.Output.Address)
		}
	}
	for _, out := range tx.Outputs {
		if out.Address == address {
			m.Received += out.Value
		} else {
			paid = append(paid, out.Address)
		}
	}
	m.Counterparties = payers
	if m.Spent > 0 {
		m.Counterparties = paid
	}
	slices.Sort(m.Counterparties)
	m.Counterparties = slices.DeleteFunc(slices.Compact(m.Counterparties), func(a string) bool { return a == "" })
	m.Counterparties = m.Counterparties[:min(len(m.Counterparties), maxCounterparties)]
	return m
}

// FeeRates are in satoshis per 1,000 virtual bytes.
type FeeRates struct{ Slow, Normal, Fast uint64 }

// feeRatesOf selects the rates for 144, 6 and 2 blocks from a server's estimates by number of blocks. If the network
// has no estimates, the rates are minFeeRate.
func feeRatesOf(estimates map[int]uint64) FeeRates {
	// within returns the rate of the largest target that is at most blocks.
	within := func(blocks int) uint64 {
		target, rate := 0, uint64(0)
		for n, r := range estimates {
			if n <= blocks && n > target {
				target, rate = n, r
			}
		}
		return min(max(rate, minFeeRate), maxFeeRate)
	}
	r := FeeRates{Slow: within(144), Normal: within(6), Fast: within(2)}
	r.Normal = max(r.Normal, r.Slow)
	r.Fast = max(r.Fast, r.Normal)
	return r
}

// largestFirst sorts unspent outputs and bounds them.
func largestFirst(outputs []esplora.UnspentOutput) (sorted []esplora.UnspentOutput, more bool) {
	sorted = slices.Clone(outputs)
	slices.SortStableFunc(sorted, func(a, b esplora.UnspentOutput) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		default:
			return 0
		}
	})
	return sorted[:min(len(sorted), maxUnspent)], len(sorted) > maxUnspent
}
