package preview

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// surroundings are read before the simulation.
type surroundings struct {
	head   simulation.Head
	native *big.Int
	// code says which accounts of the request are contracts, and delegates which ones run the code of another (EIP-7702).
	code, delegates map[evm.Address]bool
	// own is the code of the account.
	own []byte
	// balances are those of the listed tokens and of the called contracts, in base units, and held the listed ones of which there are any, in the order of
	// the list.
	balances map[evm.Address]*big.Int
	held     []evm.Address
	err      error
}

// survey reads the newest block, the account's balances, and the code of the accounts that a request names.
func (p *Previewer) survey(ctx context.Context, r Request, stated effect.Effects) (s surroundings) {
	var wait routine.WaitGroup
	var failed error
	wait.Go(ctx, func() { s.balances, s.held = p.balances(ctx, r) }, func(err error) { failed = err })
	_, others := subjectsOf(r, stated)
	accounts := append([]evm.Address{r.Account}, others...)
	calls := []chainclient.Call{chainclient.LatestBlock(), {Method: "eth_getBalance", Params: []any{r.Account, "latest"}}}
	results, err := p.connect(r.ChainID).Batch(ctx, append(calls, codeCalls(accounts)...)...)
	wait.Wait()
	if err = cmp.Or(err, failed); err != nil {
		s.err = err
		return s
	}
	if s.head, s.err = simulation.ReadHead(results[0]); s.err != nil {
		return s
	}
	if s.native, s.err = results[1].Quantity(); s.err != nil {
		return s
	}
	if s.code, s.delegates, s.err = readCodes(accounts, results[len(calls):]); s.err != nil {
		return s
	}
	s.own, _ = results[len(calls)].Bytes()
	if !p.isPlain(r, s) {
		s.head.Before = p.timeOf(ctx, r.ChainID, s.head.Number-1)
	}
	return s
}

// timeOf returns the time of a block in seconds since 1970; 0 if it cannot be read.
func (p *Previewer) timeOf(ctx context.Context, chainID string, number uint64) uint64 {
	results, err := p.connect(chainID).Batch(ctx, chainclient.BlockByNumber(number, false))
	if err != nil {
		return 0
	}
	head, err := simulation.ReadHead(results[0])
	if err != nil {
		return 0
	}
	return head.Time
}

// balances reads the account's balances of the listed tokens and of the called contracts, and which listed ones it holds; nil if that fails.
func (p *Previewer) balances(ctx context.Context, r Request) (balances map[evm.Address]*big.Int, held []evm.Address) {
	var list []evm.Address
	for _, t := range p.lists.On(r.ChainID) {
		list = append(list, t.Address)
	}
	listed := len(list)
	for _, contract := range calledContracts(r) {
		if _, isListed := p.lists.Find(r.ChainID, contract); !isListed {
			list = append(list, contract)
		}
	}
	reading, err := p.reader.Read(ctx, r.ChainID, []evm.Query{evm.TokenBalances(r.Account, list)})
	if err != nil {
		return nil, nil
	}
	balances = map[evm.Address]*big.Int{}
	for i, token := range list {
		balance, ok := reading.Answers[0][i].Amount()
		if !ok {
			continue
		}
		balances[token] = balance
		if i < listed && balance.Sign() > 0 {
			held = append(held, token)
		}
	}
	return balances, held
}

func codeCalls(accounts []evm.Address) []chainclient.Call {
	calls := make([]chainclient.Call, len(accounts))
	for i, a := range accounts {
		calls[i] = chainclient.Call{Method: "eth_getCode", Params: []any{a, "latest"}}
	}
	return calls
}

// readCodes reports which accounts are contracts, and which ones only delegate to the code of another.
func readCodes(accounts []evm.Address, results []chainclient.Result) (contracts, delegates map[evm.Address]bool, err error) {
	contracts, delegates = map[evm.Address]bool{}, map[evm.Address]bool{}
	for i, a := range accounts {
		code, err := results[i].Bytes()
		if err != nil {
			return nil, nil, err
		}
		const delegationSize = 23
		delegates[a] = len(code) == delegationSize
		contracts[a] = len(code) > 0 && !delegates[a]
	}
	return contracts, delegates, nil
}

// allowancesOf returns the rights to take tokens that calls of tokens give: calls after them may use them up.
func allowancesOf(r Request) (list []simulation.Allowance) {
	for _, c := range r.Calls {
		e, _ := effect.OfCall(r.Account, c)
		for _, a := range e.Approvals {
			right := simulation.Allowance{Token: a.Asset.Contract, Spender: a.Spender}
			if a.Asset.Kind == effect.ERC20 && !a.Permit2 && !slices.Contains(list, right) {
				list = append(list, right)
			}
		}
	}
	return list
}

// maxWatched bounds the tokens whose balances are read before and after the calls.
const maxWatched = 64

// watched returns the contracts whose tokens the calls may move: those that are called, and the listed tokens that the
// account holds.
func (p *Previewer) watched(r Request, before surroundings) (found []simulation.Watched) {
	add := func(contract evm.Address) {
		w := simulation.Watched{Token: contract}
		if _, isListed := p.lists.Find(r.ChainID, contract); !isListed {
			if w.Before = before.balances[contract]; w.Before == nil {
				return // no token
			}
		}
		if len(found) < maxWatched && !slices.ContainsFunc(found, func(k simulation.Watched) bool { return k.Token == contract }) {
			found = append(found, w)
		}
	}
	for _, contract := range calledContracts(r) {
		add(contract)
	}
	for _, token := range before.held {
		add(token)
	}
	return found
}

// calledContracts returns the contracts that are called with data.
func calledContracts(r Request) (list []evm.Address) {
	for _, c := range r.Calls {
		if c.To != nil && len(c.Data) > 0 && !slices.Contains(list, *c.To) {
			list = append(list, *c.To)
		}
	}
	return list
}
