package solana

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/grpc"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

// wrapped returns an account of wrapped SOL.
func wrapped(of svm.Address, units uint64) account {
	a := holding(of, units, units+2000)
	a.holder.Mint = svm.WrappedSOL
	return a
}

func TestOnlyATradeExcusesThatAnAssetLeaves(t *testing.T) {
	const sol = 1_000_000_000
	unknown := &stated{owner: owner, made: map[svm.Address]svm.Address{}, unknown: exchanges[:1]}
	pump := &stated{owner: owner, made: map[svm.Address]svm.Address{}, unknown: []svm.Address{svm.MustAddress("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P")}}
	unlisted := &stated{owner: owner, made: map[svm.Address]svm.Address{}, unknown: []svm.Address{addressOf(9)}}
	tokens := map[svm.Address]Token{mint: {}, pool: {Listed: true, Fact: svm.Fact{Decimals: 6}}, theirs: {Fact: svm.Fact{NFT: true}}}
	all := Change{Mint: mint, Outgoing: true, Amount: 100, Other: other}
	halves := []Change{{Mint: mint, Outgoing: true, Amount: 50, Other: other}, {Mint: mint, Outgoing: true, Amount: 50, Other: pool}}
	kind := func(k warning.Kind, s warning.Severity) warning.Warning {
		return warning.Warning{Kind: k, Severity: s, Subject: mint.String()}
	}
	drains, hidden := func(s warning.Severity) warning.Warning { return kind(warning.Drains, s) }, func(s warning.Severity) warning.Warning { return kind(warning.HiddenTransfer, s) }
	taken := warning.List{drains(warning.Danger), hidden(warning.Danger)}
	closed := []closing{{of: own, to: owner}}
	for name, c := range map[string]struct {
		changes  []Change
		closings []closing
		said     *stated
		price    float64
		want     warning.List
	}{
		"for nothing":                {[]Change{all}, nil, unknown, 1, taken},
		"in halves, for nothing":     {halves, nil, &stated{owner: owner}, 1, warning.List{drains(warning.Danger)}},
		"for SOL":                    {[]Change{all, {svm.Native, false, sol, pool}}, nil, unknown, 1, warning.List{hidden(warning.Caution)}},
		"for SOL, without a price":   {[]Change{all, {svm.Native, false, sol, pool}}, nil, unknown, 0, warning.List{drains(warning.Caution), hidden(warning.Caution)}},
		"a bag of pump.fun":          {[]Change{all, {svm.Native, false, sol, pool}}, nil, pump, 0, warning.List{drains(warning.Caution), hidden(warning.Caution)}},
		"for a hundredth in SOL":     {[]Change{all, {svm.Native, false, sol, pool}}, nil, unknown, 1000, taken},
		"for SOL of a stranger":      {[]Change{all, {svm.Native, false, sol, pool}}, nil, unlisted, 1, taken},
		"for a listed token":         {[]Change{all, {pool, false, 5_000_000, pool}}, nil, unknown, 0.01, warning.List{hidden(warning.Caution)}},
		"for another token":          {[]Change{all, {theirs, false, 5_000_000, pool}}, nil, unknown, 1, taken},
		"for one lamport":            {[]Change{all, {svm.Native, false, 1, pool}}, nil, unknown, 1, taken},
		"for a cent, of no price":    {[]Change{all, {pool, false, 10_000, pool}}, nil, unknown, 0, taken},
		"for a unit of a token":      {[]Change{all, {pool, false, 1, pool}}, nil, unknown, 1, taken},
		"for rent":                   {[]Change{all, {svm.Native, false, sol, own}}, closed, unknown, 1, taken},
		"for rent of several":        {[]Change{all, {svm.Native, false, sol, svm.Address{}}}, closed, unknown, 1, taken},
		"a part for SOL":             {[]Change{{mint, true, 10, other}, {svm.Native, false, sol, pool}}, nil, unknown, 1, warning.List{hidden(warning.Notice)}},
		"a part for SOL, a stranger": {[]Change{{mint, true, 10, other}, {svm.Native, false, sol, pool}}, nil, unlisted, 1, warning.List{hidden(warning.Caution)}},
		"wrapped SOL is unwrapped":   {[]Change{{svm.Native, false, sol + 2000, own}, {svm.WrappedSOL, true, sol, svm.Address{}}}, closed, unknown, 1, nil},
		"SOL is wrapped": {
			[]Change{{svm.Native, true, sol + 2000, own}, {svm.WrappedSOL, false, sol, svm.Address{}}}, nil,
			&stated{owner: owner}, 1, nil,
		},
		"wrapped SOL is unwrapped, a part for others": {
			[]Change{{svm.Native, false, 5, own}, {svm.WrappedSOL, true, sol, svm.Address{}}}, closed, &stated{owner: owner}, 1,
			warning.List{{Kind: warning.Drains, Severity: warning.Danger, Subject: svm.WrappedSOL.String()}},
		},
		"an NFT": {[]Change{{theirs, true, 1, other}}, nil, &stated{owner: owner}, 1, warning.List{{Kind: warning.Drains, Severity: warning.Danger, Subject: theirs.String()}}},
	} {
		s := subjects{
			owner: owner, said: []*stated{c.said}, closings: c.closings, runs: []run{{before: state{own: wrapped(owner, sol)}}},
			held: map[svm.Address]uint64{svm.Native: sol + 3000, svm.WrappedSOL: sol, mint: 100, theirs: 1},
			// 100 units of a mint without decimals.
			prices: map[svm.Address]float64{mint: c.price, svm.Native: 100, pool: 1},
		}
		if name == "SOL is wrapped" {
			s.held[svm.Native] = 2 * sol
		}
		var l warning.List
		s.warnOfChanges(&l, Preview{Changes: c.changes, Tokens: tokens})
		for i := range l {
			l[i].Phrase, l[i].Value = 0, ""
		}
		if !slices.Equal(l, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, l, c.want)
		}
	}
}

func TestAProgramInNoListThatGetsTheSignatureIsUnusual(t *testing.T) {
	stranger, exchange := addressOf(9), exchanges[0]
	for name, c := range map[string]struct {
		program   svm.Address
		isSigned  bool
		outcome   Outcome
		of, fails warning.Severity
	}{
		"it succeeds":                     {stranger, true, Succeeds, warning.Caution, 0},
		"it fails":                        {stranger, true, Fails, warning.Caution, warning.Danger},
		"it fails, without the signature": {stranger, false, Fails, warning.Notice, warning.Caution},
		"an exchange succeeds":            {exchange, true, Succeeds, warning.Notice, 0},
		"an exchange fails":               {exchange, true, Fails, warning.Notice, warning.Caution},
	} {
		transaction := Transaction{static: []svm.Address{owner, other, c.program}, instructions: []instruction{{program: 2, accounts: []int{1}}}}
		if c.isSigned {
			transaction.instructions[0].accounts = []int{1, 0}
		}
		s := subjects{owner: owner, said: []*stated{statedBy(transaction, keys{}, nil, owner)}}
		var l warning.List
		s.warnOfOutcome(&l, c.outcome)
		var of, fails warning.Severity
		for _, w := range l {
			switch w.Kind {
			case warning.UnknownProgram:
				of = w.Severity
			case warning.Reverts:
				fails = w.Severity
			}
		}
		if of != c.of || fails != c.fails {
			t.Errorf("%s: got %+v", name, l)
		}
	}
}

// talkative answers with a price of a token that was not asked for.
type talkative struct{}

func (talkative) ListPrices(_ context.Context, r *balancesv1.ListPricesRequest, _ ...grpc.CallOption) (*balancesv1.ListPricesResponse, error) {
	res := &balancesv1.ListPricesResponse{}
	for _, id := range append(r.GetAddresses(), "solana:other:"+mint.String()) {
		res.Fungibles = append(res.Fungibles, &balancesv1.Fungible{Address: id, Price: 1 + float64(len(res.Fungibles))})
	}
	return res, nil
}

func TestAPriceThatWasNotAskedForIsLeftOut(t *testing.T) {
	p := &Previewer{Prices: talkative{}}
	prices := p.pricesOf(t.Context(), "solana:one", []Change{{Mint: pool, Outgoing: true, Amount: 1}, {Mint: svm.Native, Amount: 1}}, map[svm.Address]Token{pool: {Listed: true}})
	if len(prices) != 2 || prices[pool] != 1 || prices[svm.Native] != 2 {
		t.Errorf("the prices are %v", prices)
	}
}

func TestTheEndOfAnAuthorityIsUnusualAndItsTransferADanger(t *testing.T) {
	for kind, want := range map[controlKind]warning.Severity{mintFixed: warning.Caution, mintTaken: warning.Danger} {
		var l warning.List
		s := subjects{owner: owner, controls: []control{{kind: kind, of: mint}}}
		if s.warnOfControls(&l); len(l) != 1 || l[0].Severity != want {
			t.Errorf("%d: got %+v", kind, l)
		}
	}
}

func TestAnAccountThatIsMadeCoversItsRentAlone(t *testing.T) {
	made := account{size: 165}
	for name, c := range map[string]struct {
		before state
		change Change
		want   bool
	}{
		"its rent":                  {nil, Change{svm.Native, true, 2_039_280, own}, true},
		"more than its rent":        {nil, Change{svm.Native, true, 2_039_281, own}, false},
		"its rent and what is said": {state{}, Change{svm.Native, true, 2_039_280 + 700, theirs}, true},
		"more than what is said":    {state{}, Change{svm.Native, true, 2_039_280 + 701, theirs}, false},
		"of an account that exists": {state{own: wallet(1)}, Change{svm.Native, true, 2_039_280, own}, false},
		"an unknown account":        {nil, Change{svm.Native, true, 5, svm.Address{}}, false},
	} {
		s := statedBy(Transaction{
			static: []svm.Address{owner, own, theirs, svm.AssociatedTokenProgram, svm.SystemProgram},
			instructions: []instruction{
				{program: 3, accounts: []int{0, 1, 2}}, {program: 3, accounts: []int{0, 2, 2}}, {program: 3, accounts: []int{0, 99, 2}},
				{program: 4, accounts: []int{0, 2}, data: []byte{2, 0, 0, 0, 188, 2, 0, 0, 0, 0, 0, 0}},
			},
		}, keys{}, c.before, owner)
		if got := s.covers(c.change, state{own: made, theirs: made}); got != c.want {
			t.Errorf("%s: covered is %v", name, got)
		}
	}
}

func TestInstructionsOfStakesAndNoncesAreDecoded(t *testing.T) {
	u32 := func(n byte) []byte { return []byte{n, 0, 0, 0} }
	amount := []byte{7, 0, 0, 0, 0, 0, 0, 0}
	for name, c := range map[string]struct {
		program svm.Address
		call    instruction
		change  []Change
		control []control
	}{
		"a withdrawal of a stake":    {svm.StakeProgram, instruction{1, []int{2, 3, 4, 4, 0}, slices.Concat(u32(4), amount)}, []Change{{svm.Native, true, 7, other}}, nil},
		"a withdrawal of a nonce":    {svm.SystemProgram, instruction{1, []int{2, 3, 4, 4, 0}, slices.Concat(u32(5), amount)}, []Change{{svm.Native, true, 7, other}}, nil},
		"a withdrawal to the owner":  {svm.StakeProgram, instruction{1, []int{2, 0, 4, 4, 0}, slices.Concat(u32(4), amount)}, []Change{{svm.Native, false, 7, own}}, nil},
		"a withdrawal by another":    {svm.StakeProgram, instruction{1, []int{2, 3, 4, 4, 3}, slices.Concat(u32(4), amount)}, nil, nil},
		"a withdrawer of a stake":    {svm.StakeProgram, instruction{1, []int{2, 4, 0}, slices.Concat(u32(1), other[:], u32(1))}, nil, []control{{kind: stakeTaken, of: own, to: other}}},
		"a signing withdrawer":       {svm.StakeProgram, instruction{1, []int{2, 4, 0, 3}, slices.Concat(u32(10), u32(1))}, nil, []control{{kind: stakeTaken, of: own, to: other}}},
		"who delegates a stake":      {svm.StakeProgram, instruction{1, []int{2, 4, 0}, slices.Concat(u32(1), other[:], u32(0))}, nil, nil},
		"the authority over a nonce": {svm.SystemProgram, instruction{1, []int{2, 0}, slices.Concat(u32(7), other[:])}, nil, []control{{kind: stakeTaken, of: own, to: other}}},
	} {
		s := statedBy(Transaction{static: []svm.Address{owner, c.program, own, other, pool}, instructions: []instruction{c.call}}, keys{}, nil, owner)
		if !slices.Equal(s.changes, c.change) || !slices.Equal(s.controls, c.control) {
			t.Errorf("%s: %+v %+v", name, s.changes, s.controls)
		}
	}
}
