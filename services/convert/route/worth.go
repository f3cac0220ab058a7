package route

// Worth is what a base unit of one token is worth in base units of another at the best marginal prices of the market, after fees, along at most
// three pools; 0 where no pools lead there. It is an estimate for comparing, not a quote.
func (m *Market) Worth(of, in Token) float64 {
	if int(of) >= m.layout.tokens || int(in) >= m.layout.tokens {
		return 0
	}
	desk := desks.Get().(*desk)
	defer desks.Put(desk)
	return desk.atlas.worth(m, &scope{venue: anyVenue}, of, in)
}

// worth is what a unit of one token becomes in another at marginal prices.
func (a *atlas) worth(m *Market, within *scope, of, in Token) float64 {
	if of == in {
		return 1
	}
	if !a.chart(m, within, of, in, searchedHops) {
		return 0
	}
	return a.onward[searchedHops][of]
}
