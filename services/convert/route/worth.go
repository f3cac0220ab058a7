package route

// Worth is what a base unit of one token is worth in base units of another at the best marginal prices of the market, after fees, along at most
// three pools; 0 where no pools lead there. It is an estimate for comparing, not a quote.
func (m *Market) Worth(of, in Token) float64 {
	if int(of) >= m.layout.tokens || int(in) >= m.layout.tokens {
		return 0
	}
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	return w.potentials.worth(m, &scope{venue: anyVenue}, of, in)
}

// worth is what a unit of one token becomes in another at marginal prices.
func (p *potentials) worth(m *Market, within *scope, of, in Token) float64 {
	if of == in {
		return 1
	}
	if !p.compute(m, within, of, in, searchedHops) {
		return 0
	}
	return p.onward[searchedHops][of]
}
