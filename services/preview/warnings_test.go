package preview

import (
	"math/big"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/minimum"
	"github.com/hawser-dev/hawser/services/preview/simulation"
	"github.com/hawser-dev/hawser/services/preview/statement"
	"github.com/hawser-dev/hawser/services/preview/warning"
)

func TestOnlyHalfOfTheValueIsATrade(t *testing.T) {
	token, usd, eur := evm.MustAddress("0x00000000000000000000000000000000000000a1"), evm.MustAddress("0x00000000000000000000000000000000000000a2"), evm.MustAddress("0x00000000000000000000000000000000000000a3")
	f := facts{tokens: map[evm.Address]Token{
		token: {Facts: &evm.TokenFact{Decimals: 6}, Balance: big.NewInt(100_000_000)}, usd: {Facts: &evm.TokenFact{Decimals: 6}, Listed: true},
		eur: {Facts: &evm.TokenFact{Decimals: 6}, Listed: true},
	}, prices: map[evm.Address]float64{token: 1, usd: 1, {}: 2000}}
	leaves := effect.Change{Asset: effect.Asset{Kind: effect.ERC20, Contract: token}, Outgoing: true, Amount: big.NewInt(100_000_000)}
	severities := func(f facts, kind effect.Kind, contract evm.Address, amount int64) (drains, hidden warning.Severity) {
		var l list
		arrives := effect.Change{Asset: effect.Asset{Kind: kind, Contract: contract}, Amount: big.NewInt(amount)}
		l.changes(Request{}, Preview{Effects: effect.Effects{Changes: []effect.Change{leaves, arrives}}}, effect.Effects{}, f)
		for _, w := range l.List {
			switch w.Kind {
			case warning.Drains:
				drains = w.Severity
			case warning.HiddenTransfer:
				hidden = w.Severity
			}
		}
		return drains, hidden
	}
	unlisted, unpriced, down, bounded := f, f, f, f
	unlisted.unlisted, down.prices = []evm.Address{{9}}, nil
	bounded.guaranteed = minimum.Amounts{{Kind: effect.ERC20, Contract: usd}: big.NewInt(49_000_000)}
	unpriced.prices = map[evm.Address]float64{usd: 1, {}: 2000}
	for name, c := range map[string]struct {
		f              facts
		kind           effect.Kind
		contract       evm.Address
		amount         int64
		drains, hidden warning.Severity
	}{
		"one wei":                           {f, effect.Native, evm.Address{}, 1, warning.Danger, warning.Danger},
		"49 dollars of the native token":    {f, effect.Native, evm.Address{}, 24_500_000_000_000_000, warning.Danger, warning.Danger},
		"51 dollars of the native token":    {f, effect.Native, evm.Address{}, 25_500_000_000_000_000, 0, warning.Caution},
		"a unit of a token":                 {f, effect.ERC20, usd, 1, warning.Danger, warning.Danger},
		"49 dollars":                        {f, effect.ERC20, usd, 49_000_000, warning.Danger, warning.Danger},
		"51 dollars":                        {f, effect.ERC20, usd, 51_000_000, 0, warning.Caution},
		"an unlisted token":                 {f, effect.ERC20, token, 0, warning.Danger, warning.Danger},
		"a token without a price":           {f, effect.ERC20, eur, 51_000_000, warning.Danger, warning.Danger},
		"a token while no price is known":   {down, effect.ERC20, eur, 51_000_000, warning.Caution, warning.Caution},
		"51 dollars, 49 are guaranteed":     {bounded, effect.ERC20, usd, 51_000_000, warning.Danger, warning.Danger},
		"a cent, for one without a price":   {unpriced, effect.ERC20, usd, 10_000, warning.Danger, warning.Danger},
		"a dollar, for one without a price": {unpriced, effect.ERC20, usd, 1_000_000, warning.Caution, warning.Caution},
		"dollars, by a contract in no list": {unlisted, effect.ERC20, usd, 100_000_000, warning.Danger, warning.Danger},
	} {
		if drains, hidden := severities(c.f, c.kind, c.contract, c.amount); drains != c.drains || hidden != c.hidden {
			t.Errorf("%s: got %d and %d, want %d and %d", name, drains, hidden, c.drains, c.hidden)
		}
	}
}

type noDevelopment struct{}

func (noDevelopment) Describe() *devnet.Description { return &devnet.Description{} }

func TestAnApprovalIsJudgedByWhatItCanTake(t *testing.T) {
	usdc := evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	thief, router := evm.MustAddress("0x00000000000000000000000000000000000bad01"), evm.MustAddress("0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45")
	multicall := evm.MustAddress("0xcA11bde05977b3631167028862bE2a173976CA11")
	whole, part := big.NewInt(10_000_000_000), big.NewInt(1_000_000_000)
	p := &Previewer{names: contracts.New(noDevelopment{}), local: noDevelopment{}}
	for name, c := range map[string]struct {
		spender evm.Address
		amount  *big.Int
		left    *big.Int
		permit2 bool
		want    []warning.Warning
	}{
		"all, for a stranger":                      {spender: thief, want: []warning.Warning{{Kind: warning.UnlimitedApproval, Severity: warning.Danger}}},
		"exactly all, for a stranger":              {spender: thief, amount: whole, want: []warning.Warning{{Kind: warning.UnlimitedApproval, Severity: warning.Danger}}},
		"a part, for a stranger":                   {spender: thief, amount: part},
		"all, for a router":                        {spender: router, want: []warning.Warning{{Kind: warning.UnlimitedApproval, Severity: warning.Caution}}},
		"a part, for a router":                     {spender: router, amount: part},
		"a part, where anyone can take it":         {spender: multicall, amount: part, want: []warning.Warning{{Kind: warning.SpenderPublic, Severity: warning.Danger}}},
		"exactly all, which the calls use":         {spender: thief, amount: whole, left: new(big.Int)},
		"more than all, of which the calls use":    {spender: thief, left: part},
		"all by Permit2, beside an end of another": {spender: thief, left: new(big.Int), permit2: true, want: []warning.Warning{{Kind: warning.UnlimitedApproval, Severity: warning.Danger}}},
	} {
		f := facts{
			tokens: map[evm.Address]Token{usdc: {Listed: true, Balance: whole, Facts: &evm.TokenFact{Decimals: 6}}},
			code:   map[evm.Address]bool{thief: true, router: true, multicall: true},
		}
		if c.left != nil {
			f.allowed = map[simulation.Allowance]*big.Int{{Token: usdc, Spender: c.spender}: c.left}
		}
		a := effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: usdc}, Spender: c.spender, Amount: c.amount, Permit2: c.permit2}
		var l list
		p.approvals(&l, Request{ChainID: "eip155:1"}, effect.Effects{Approvals: []effect.Approval{a}}, f)
		for i := range l.List {
			l.List[i].Phrase, l.List[i].Value, l.List[i].Subject = 0, "", ""
		}
		if !slices.Equal(l.List, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, l.List, c.want)
		}
	}
}

func TestAnApprovalIsComparedWithWhatArrivesToo(t *testing.T) {
	usdc, thief := evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), evm.Address{1}
	asset := effect.Asset{Kind: effect.ERC20, Contract: usdc}
	p := &Previewer{names: contracts.New(noDevelopment{}), local: noDevelopment{}}
	for name, c := range map[string]struct {
		balance, arrives, amount *big.Int
		isDanger                 bool
	}{
		"all that arrives":             {new(big.Int), big.NewInt(100), big.NewInt(100), true},
		"a part of what arrives":       {new(big.Int), big.NewInt(100), big.NewInt(10), false},
		"all of what was there before": {big.NewInt(10), big.NewInt(100), big.NewInt(10), false},
		"nothing is there":             {new(big.Int), nil, big.NewInt(10), true},
		"the balance is not known":     {nil, nil, big.NewInt(10), true},
	} {
		e := effect.Effects{Approvals: []effect.Approval{{Asset: asset, Spender: thief, Amount: c.amount}}}
		if c.arrives != nil {
			e.Changes = []effect.Change{{Asset: asset, Amount: c.arrives}}
		}
		var l list
		f := facts{tokens: map[evm.Address]Token{usdc: {Balance: c.balance}}, code: map[evm.Address]bool{thief: true}}
		p.approvals(&l, Request{ChainID: "eip155:1"}, e, f)
		isDanger := slices.ContainsFunc(l.List, func(w warning.Warning) bool {
			return w.Kind == warning.UnlimitedApproval && w.Severity == warning.Danger
		})
		if isDanger != c.isDanger {
			t.Errorf("%s: got %+v", name, l.List)
		}
	}
}

func TestADepositOfAllInAKnownVaultIsUnusual(t *testing.T) {
	usdc, pool := evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), evm.MustAddress("0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2")
	me, thief, whole := evm.Address{1}, evm.Address{2}, big.NewInt(1000)
	p := &Previewer{names: contracts.New(noDevelopment{}), local: noDevelopment{}}
	supply := func(token, to evm.Address, amount int64) []byte {
		return calldata.Parse("supply(address,uint256,address,uint16)").Write(token, big.NewInt(amount), to, uint16(0))
	}
	for name, c := range map[string]struct {
		to   evm.Address
		data []byte
		want warning.Severity
	}{
		"for the account":          {pool, supply(usdc, me, 1000), warning.Caution},
		"for another account":      {pool, supply(usdc, thief, 1000), warning.Danger},
		"of another token":         {pool, supply(thief, me, 1000), warning.Danger},
		"of less than leaves":      {pool, supply(usdc, me, 10), warning.Danger},
		"in a contract in no list": {thief, supply(usdc, me, 1000), warning.Danger},
	} {
		r := Request{ChainID: "eip155:1", Account: me, Calls: []simulation.Call{{To: &c.to, Value: new(big.Int), Data: c.data}}}
		f := facts{tokens: map[evm.Address]Token{usdc: {Listed: true, Balance: whole, Facts: &evm.TokenFact{Decimals: 6}}}, deposits: p.deposits(r)}
		var l list
		e := effect.Effects{Changes: []effect.Change{{Asset: effect.Asset{Kind: effect.ERC20, Contract: usdc}, Outgoing: true, Amount: whole, Other: evm.Address{7}}}}
		l.changes(r, Preview{Effects: e}, effect.Effects{}, f)
		if l.Sort(); len(l.List) != 2 || l.List[0].Severity != c.want {
			t.Errorf("%s: got %+v", name, l.List)
		}
	}
}

func TestASignedPaymentOfAPartMayGoToAPerson(t *testing.T) {
	usdc, person := evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), evm.Address{1}
	p := &Previewer{names: contracts.New(noDevelopment{}), local: noDevelopment{}}
	for amount, want := range map[int64]warning.Severity{10: warning.Caution, 600: warning.Danger} {
		for _, isOnce := range []bool{true, false} {
			a := effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: usdc}, Spender: person, Amount: big.NewInt(amount), Once: isOnce}
			f := facts{tokens: map[evm.Address]Token{usdc: {Balance: big.NewInt(1000)}}, code: map[evm.Address]bool{person: false}}
			if !isOnce {
				want = warning.Danger
			}
			var l list
			e := effect.Effects{Approvals: []effect.Approval{a}}
			p.approvals(&l, Request{ChainID: "eip155:1", Statement: &statement.Statement{Approvals: e.Approvals}}, e, f)
			if l.Sort(); len(l.List) == 0 || l.List[0].Severity != want {
				t.Errorf("%d, once %t: got %+v", amount, isOnce, l.List)
			}
		}
	}
}

func TestAUserOperationOfAnotherSenderNamesIt(t *testing.T) {
	sender := evm.Address{1}
	var l list
	l.statement(Request{Number: big.NewInt(1)}, statement.Statement{Kind: statement.Operation, Holder: &sender, IsForeign: true}, facts{})
	if len(l.List) != 1 || l.List[0].Phrase != warning.OperationOfOther || l.List[0].Value != sender.Hex() || l.List[0].Severity != warning.Danger {
		t.Errorf("got %+v", l.List)
	}
}

func TestAWholeAmountHasAsManyPlacesAsItNeeds(t *testing.T) {
	for wei, want := range map[int64]string{1_000_000_000_000_000_000: "1", 1_500_000_000_000_000_000: "1.5", 1: "0.000000000000000001", 2_000: "0.000000000000002"} {
		if got := whole(big.NewInt(wei), nativeDecimals); got != want {
			t.Errorf("%d is %s, want %s", wei, got, want)
		}
	}
}

func TestWhatPaysForOneAssetDoesNotPayForAnother(t *testing.T) {
	known := func(dollars float64) warning.Value { return warning.Value{Dollars: dollars, Known: true} }
	partly := func(dollars float64) warning.Value { return warning.Value{Dollars: dollars} }
	for name, c := range map[string]struct {
		asset, others, arrives warning.Value
		want                   warning.Worth
	}{
		"half of it":                             {known(100), known(0), known(50), warning.Fair},
		"less than half of it":                   {known(100), known(0), known(49), warning.Nothing},
		"what another asset is exchanged for":    {known(100), known(200), known(200), warning.Nothing},
		"that and half of it":                    {known(100), known(200), known(250), warning.Fair},
		"enough, but another asset has no price": {known(100), partly(0), known(90), warning.Uncertain},
		"too little, whatever the other's price": {known(100), partly(0), known(40), warning.Nothing},
		"what has no price":                      {known(100), known(0), partly(0), warning.Nothing},
		"what has no price, while none is known": {partly(0), known(0), partly(0), warning.Uncertain},
		"something for what has no price":        {partly(0), known(0), known(5), warning.Uncertain},
		"less than the others for it":            {partly(0), known(100), known(5), warning.Nothing},
	} {
		if got := warning.WorthOf(c.asset, c.others, c.arrives, true); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

func TestDustIsMeasuredInDollarsWhereItHasAPrice(t *testing.T) {
	for name, c := range map[string]struct {
		amount, price float64
		want          bool
	}{
		"nearly a dollar": {0.99, 1, false}, "a dollar": {1, 1, true}, "little of a dear token": {0.00001, 100_000, true},
		"much of a cheap token": {500, 0.001, false}, "without a price": {0.001, 0, true}, "a bit without a price": {0.00001, 0, false},
	} {
		var v warning.Value
		if got := v.Arrive(big.NewInt(int64(c.amount*1e9)), 9, c.price); got != c.want {
			t.Errorf("%s: more than dust is %t", name, got)
		}
	}
}

func TestAMildWarningDoesNotHideASevereOne(t *testing.T) {
	var l warning.List
	l.Add(warning.HiddenTransfer, warning.Caution, "a", warning.UnsaidTraded, "b")
	l.Add(warning.HiddenTransfer, warning.Danger, "a", warning.MoreLeaves, "c")
	l.Add(warning.HiddenTransfer, warning.Danger, "a", warning.MoreLeaves, "d")
	if want := (warning.List{{Kind: warning.HiddenTransfer, Severity: warning.Danger, Phrase: warning.MoreLeaves, Value: "c", Subject: "a"}}); !slices.Equal(l, want) {
		t.Errorf("got %+v", l)
	}
}

func TestSeveralPaymentsToOneAreSaid(t *testing.T) {
	pay := func(amount int64) effect.Change {
		return effect.Change{Asset: effect.Asset{Kind: effect.Native}, Outgoing: true, Amount: big.NewInt(amount), Other: evm.Address{1}}
	}
	stated := effect.Effects{Changes: []effect.Change{pay(3), pay(4)}}
	if !says(stated, pay(7)) || says(stated, pay(8)) {
		t.Error("the payments do not add up")
	}
}
