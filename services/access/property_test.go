package access

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	random "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

var (
	tokenPermit     = calldata.Parse("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)")
	tokenNonces     = calldata.Parse("nonces(address)")
	domainSeparator = calldata.Parse("DOMAIN_SEPARATOR()")
	permit2Single   = calldata.Parse("permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)")

	tokenPermitTypes   = calldata.Types("(bytes32,address,address,uint256,uint256,uint256)")
	permit2DetailTypes = calldata.Types("(bytes32,address,uint160,uint48,uint48)")
	permit2SingleTypes = calldata.Types("(bytes32,bytes32,address,uint256)")
)

const (
	tokenPermitType   = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
	permit2DetailType = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
	permit2SingleType = "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)" + permit2DetailType
)

// player gives approvals, uses them and takes them back at random.
type player struct {
	*world
	random *random.Rand
	key    account.Key
	me     string
	// fungible are tokens: the second one takes permits, the last one is in no list.
	fungible, spenders []string
	permit2, anchor    string
	ids                []int
	home               string
}

func newPlayer(t *testing.T, w *world, seed uint64) *player {
	t.Helper()
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{
		world: w, random: random.New(random.NewPCG(seed, 0)), key: key, me: key.Address().String(), permit2: exchangetest.Permit2(t, w.chain), anchor: w.collection(t, "ANCHOR"),
		fungible: []string{w.token(t, "tUSD"), w.token(t, "tGOLD"), exchangetest.Token(t, w.chain, "Nobody's", "NOBODY")}, home: w.devnet.Accounts[0].Address, ids: []int{4, 5},
	}
	w.impersonate(t, p.me)
	for range 4 {
		p.spenders = append(p.spenders, w.fresh(t))
	}
	for _, token := range p.fungible {
		exchangetest.Give(t, w.chain, token, p.me, big.NewInt(100_000))
		w.call(t, p.me, token, approveCall.Write(address(p.permit2), 50_000))
	}
	for _, id := range p.ids {
		w.call(t, p.home, p.anchor, takeCall.Write(address(p.home), address(p.me), id))
	}
	return p
}

func (p *player) one(of []string) string { return of[p.random.IntN(len(of))] }

// amount returns nothing, something, or as much as fits into the bits.
func (p *player) amount(bits uint) *big.Int {
	switch p.random.IntN(4) {
	case 0:
		return new(big.Int)
	case 1:
		return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	default:
		return big.NewInt(p.random.Int64N(2_000))
	}
}

// expiration returns a time long ago or far away, in seconds since 1970.
func (p *player) expiration() int { return []int{1, farAway, farAway}[p.random.IntN(3)] }

// try sends a transaction, which may fail in the contract.
func (p *player) try(t *testing.T, from, to string, data []byte) {
	t.Helper()
	p.chain.Send(t, map[string]any{"from": from, "to": to, "data": hexutil.Encode(data), "gas": "0x7a120"})
}

// move makes one transaction.
func (p *player) move(t *testing.T) {
	t.Helper()
	token, spender := p.one(p.fungible), p.one(p.spenders)
	id := p.ids[p.random.IntN(len(p.ids))]
	switch p.random.IntN(12) {
	case 0, 1:
		p.try(t, p.me, token, approveCall.Write(address(spender), p.amount(256)))
	case 2, 3:
		p.try(t, spender, token, takeCall.Write(address(p.me), address(spender), p.random.IntN(1_500)))
	case 4:
		p.permit(t, p.fungible[1], spender, p.amount(256))
	case 5:
		p.try(t, p.me, p.permit2, permit2Approve.Write(address(token), address(spender), p.amount(160), p.expiration()))
	case 6:
		p.permitOfPermit2(t, token, spender)
	case 7:
		p.try(t, spender, p.permit2, permit2Take.Write(address(p.me), address(spender), p.random.IntN(1_500), address(token)))
	case 8:
		p.try(t, p.me, p.permit2, permit2Lockdown.Write([]any{[]any{address(token), address(spender)}}))
	case 9:
		p.try(t, p.me, p.anchor, approveCall.Write(address([]string{spender, evm.Address{}.String()}[p.random.IntN(2)]), id))
	case 10:
		p.try(t, p.me, p.anchor, setOperatorCall.Write(address(spender), p.random.IntN(2) == 0))
	default:
		// It comes back at once or at another move.
		p.try(t, p.me, p.anchor, takeCall.Write(address(p.me), address(p.home), id))
		p.try(t, p.home, p.anchor, takeCall.Write(address(p.home), address(p.me), id))
	}
}

// signed returns the signature of a struct of typed data of a contract (EIP-712), with 27 or 28 as its last byte.
func (p *player) signed(t *testing.T, contract string, content []byte) []byte {
	t.Helper()
	domain := p.read(t, contract, domainSeparator.Write())
	signature := p.key.Sign(crypto.Keccak256Hash([]byte("\x19\x01"), domain, crypto.Keccak256(content)))
	signature[64] += 27
	return signature
}

// permit gives an allowance of a token by a signature, which the spender sends.
func (p *player) permit(t *testing.T, token, spender string, value *big.Int) {
	t.Helper()
	nonce := new(big.Int).SetBytes(p.read(t, token, tokenNonces.Write(address(p.me))))
	s := p.signed(t, token, tokenPermitTypes.Write(crypto.Keccak256Hash([]byte(tokenPermitType)), address(p.me), address(spender), value, nonce, farAway))
	p.try(t, spender, token, tokenPermit.Write(address(p.me), address(spender), value, farAway, s[64], common.Hash(s[:32]), common.Hash(s[32:64])))
}

// permitOfPermit2 gives an allowance of Permit2 by a signature, which another account sends.
func (p *player) permitOfPermit2(t *testing.T, token, spender string) {
	t.Helper()
	amount, expires := p.amount(160), p.expiration()
	stored := p.read(t, p.permit2, permit2Call.Write(address(p.me), address(token), address(spender)))
	nonce := new(big.Int).SetBytes(stored[64:96])
	details := crypto.Keccak256Hash(permit2DetailTypes.Write(crypto.Keccak256Hash([]byte(permit2DetailType)), address(token), amount, expires, nonce))
	s := p.signed(t, p.permit2, permit2SingleTypes.Write(crypto.Keccak256Hash([]byte(permit2SingleType)), details, address(spender), farAway))
	single := []any{[]any{address(token), amount, expires, nonce}, address(spender), farAway}
	p.try(t, spender, p.permit2, permit2Single.Write(address(p.me), single, s))
}

// read calls a contract at the newest block.
func (p *player) read(t *testing.T, contract string, data []byte) []byte {
	t.Helper()
	answers, err := evm.CallEach(t.Context(), chainclient.Transport(func(ctx context.Context, body []byte) ([]byte, error) { return p.chain.Forward(ctx, body) }),
		[]evm.Call{{To: address(contract), Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	return answers[0].Data
}

// held returns what the chain says of every approval that the player can have given, in the form of listed.
func (p *player) held(t *testing.T) (list []string) {
	t.Helper()
	number := func(contract string, data []byte) *big.Int { return new(big.Int).SetBytes(p.read(t, contract, data)) }
	for _, token := range p.fungible {
		balance := number(token, balanceCall.Write(address(p.me)))
		forPermit2 := number(token, allowanceCall.Write(address(p.me), address(p.permit2)))
		for _, spender := range append(slices.Clone(p.spenders), p.permit2) {
			if allowed := number(token, allowanceCall.Write(address(p.me), address(spender))); allowed.Sign() > 0 {
				list = append(list, fmt.Sprintf("erc20 %s  %s %s 0 %s", token, spender, allowed, smaller(allowed, balance)))
			}
		}
		for _, spender := range p.spenders {
			stored := p.read(t, p.permit2, permit2Call.Write(address(p.me), address(token), address(spender)))
			allowed, expires := new(big.Int).SetBytes(stored[:32]), new(big.Int).SetBytes(stored[32:64])
			if allowed.Sign() > 0 && expires.Int64() == farAway {
				list = append(list, fmt.Sprintf("permit2 %s  %s %s %s %s", token, spender, allowed, expires, smaller(smaller(allowed, balance), forPermit2)))
			}
		}
	}
	mine := 0
	for _, id := range p.ids {
		if common.BytesToAddress(p.read(t, p.anchor, ownerCall.Write(id))) != address(p.me) {
			continue
		}
		mine++
		if spender := common.BytesToAddress(p.read(t, p.anchor, approvedCall.Write(id))); spender != (evm.Address{}) {
			list = append(list, fmt.Sprintf("nft %s %d %s 1 0 1", p.anchor, id, spender))
		}
	}
	for _, spender := range p.spenders {
		if number(p.anchor, operatorCall.Write(address(p.me), address(spender))).Sign() > 0 {
			list = append(list, fmt.Sprintf("operator %s  %s  0 %d", p.anchor, spender, mine))
		}
	}
	slices.Sort(list)
	return list
}

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

var balanceCall = calldata.Parse("balanceOf(address)")

// listed returns the approvals that a service lists for the player, sorted.
func (p *player) listed(t *testing.T, w *world) (list []string) {
	t.Helper()
	for _, a := range w.list(t, p.me).GetApprovals() {
		list = append(list, strings.ReplaceAll(fmt.Sprintf("%s %s %s %s %s %d %s", a.GetKind(), a.GetToken().GetAddress(), a.GetTokenId(), a.GetSpender().GetAddress(),
			a.GetAllowance(), a.GetExpiresAt(), a.GetAtRisk()), w.chain.CAIP2+":", ""))
	}
	slices.Sort(list)
	return list
}

func TestAnUnlistedTokenThatTheAccountBoughtAndPermittedIsListed(t *testing.T) {
	w := open(t)
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{world: w, key: key, me: key.Address().String(), home: w.devnet.Accounts[0].Address, spenders: []string{w.fresh(t)}}
	w.impersonate(t, p.me)
	token := exchangetest.TokenLike(t, w.chain, "tGOLD", "Nobody's gold", "NOGOLD")
	exchangetest.Give(t, w.chain, token, p.home, big.NewInt(100))
	w.call(t, p.home, token, approveCall.Write(address(p.me), 100))
	p.permit(t, token, p.spenders[0], big.NewInt(7))
	allowed := func() (units []string) {
		for _, a := range w.list(t, p.me).GetApprovals() {
			if a.GetToken().GetSymbol() == "NOGOLD" {
				units = append(units, a.GetAllowance())
			}
		}
		return units
	}
	if got := allowed(); len(got) != 0 {
		t.Errorf("before the account had any: %v", got)
	}
	w.call(t, p.me, token, takeCall.Write(address(p.home), address(p.me), 100))
	if got := allowed(); !slices.Equal(got, []string{"7"}) {
		t.Errorf("got %v", got)
	}
}

// After each of ten reorgs, both stores list exactly what the chain says of a thousand random moves.
func TestWhatIsListedIsWhatTheChainSays(t *testing.T) {
	w := open(t)
	other := *w
	other.serve(t, storetest.Open(t, storetest.PostgreSQL(t)))
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	p := newPlayer(t, w, seed)
	rounds, orphans, kept := 10, 10, 90
	if testing.Short() {
		rounds, kept = 3, 30
	}
	for round := range rounds {
		revert := w.chain.Snapshot(t)
		for range orphans {
			p.move(t)
		}
		p.matches(t, w, &other, fmt.Sprintf("before reorg %d", round+1))
		revert(t)
		for range kept {
			p.move(t)
		}
		p.matches(t, w, &other, fmt.Sprintf("after reorg %d", round+1))
		if t.Failed() {
			return
		}
	}
}

// matches compares what the services list with what the chain says.
func (p *player) matches(t *testing.T, w, other *world, when string) {
	t.Helper()
	want := p.held(t)
	for store, service := range map[string]*world{"SQLite": w, "PostgreSQL": other} {
		got := p.listed(t, service)
		// A list does not wait for a chain that is read slowly.
		for deadline := time.Now().Add(20 * time.Second); !slices.Equal(got, want) && time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
			got = p.listed(t, service)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s: got\n%s\nwant\n%s", when, store, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
