package pools

// lookedAtMost bounds how many pairs are remembered of which the pools were looked for. The pairs of listed tokens and hubs come back by
// themselves, all others when they are asked for again.
const lookedAtMost = 50_000

// ledger is the pairs whose pools were looked for.
type ledger struct{ pairs map[pair]struct{} }

func newLedger() ledger { return ledger{map[pair]struct{}{}} }

func (l ledger) has(p pair) bool {
	_, looked := l.pairs[p]
	return looked
}

// missing are those of pairs that were not looked for.
func (l ledger) missing(pairs []pair) (list []pair) {
	for _, p := range pairs {
		if !l.has(p) {
			list = append(list, p)
		}
	}
	return list
}

// note remembers pairs; some others are forgotten when they are too many.
func (l ledger) note(pairs []pair) {
	for _, p := range pairs {
		l.pairs[p] = struct{}{}
	}
	for p := range l.pairs {
		if len(l.pairs) <= lookedAtMost {
			return
		}
		delete(l.pairs, p)
	}
}

// unique are the pairs without those that come twice.
func unique(pairs []pair) (list []pair) {
	seen := newLedger()
	for _, p := range pairs {
		if !seen.has(p) {
			seen.pairs[p] = struct{}{}
			list = append(list, p)
		}
	}
	return list
}
