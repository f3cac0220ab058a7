package route

// Worth is what a base unit of one token is worth in base units of another at the best marginal prices of the market, after fees, along at most
// DefaultMaxHops pools; 0 where no pools lead there. It is an estimate for comparing, not a quote.
func (m *Market) Worth(of, in Token) float64 {
	if int(of) >= m.layout.tokens || int(in) >= m.layout.tokens {
		return 0
	}
	worth := make([]float64, m.layout.tokens)
	worth[in] = 1
	for range DefaultMaxHops {
		next := append([]float64(nil), worth...)
		for i, p := range m.layout.pools {
			rates := m.rates(int32(i))
			next[p.ends[0]] = max(next[p.ends[0]], rates[0]*worth[p.ends[1]])
			next[p.ends[1]] = max(next[p.ends[1]], rates[1]*worth[p.ends[0]])
		}
		worth = next
	}
	return worth[of]
}
