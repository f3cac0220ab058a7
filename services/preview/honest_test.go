package preview

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

const (
	friend   = "0x00000000000000000000000000000000000f41e0"
	permit2  = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
	conduit  = "0x1E0049783F008A0085193E00003D00cd54003c71"
	relayer  = "0xC92E8bdf79f0507f65a392b0ab4667716BFE0110"
	vault    = "0x00000000000000000000000000000000000fa017"
	registry = "0x00000000000000000000000000000000000fa018"
	mint     = "0x00000000000000000000000000000000000fa019"
)

// honest is a corpus of requests that sites make of visitors who want them.
type honest struct {
	*world
	market devnet.Chain
	list   []honestRequest
}

type honestRequest struct {
	name string
	*previewv1.SimulateRequest
}

func newHonest(t *testing.T) *honest {
	w := newWorld(t)
	w.names["victim"] = w.d.Accounts[0].Address
	h := &honest{world: w}
	if _, err := w.server.chain.Networks(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.market, _ = w.previewer.local.Describe().Chain(local)
	if h.market.Wrapped == nil || len(h.market.Venues) == 0 {
		t.Fatal("the chain has no exchange")
	}
	w.names["WETH"] = h.market.Wrapped.Hex()
	exchangetest.Permit2(t, w.chain)
	// The vault takes the amount that its call names of tUSD; the registry does nothing; the mint makes a collectible of its caller.
	w.chain.Call(t, "anvil_setCode", vault, depositCode(evm.MustAddress(w.names["tUSD"])))
	w.chain.Call(t, "anvil_setCode", registry, "0x00")
	w.chain.Call(t, "anvil_setCode", mint, hexutil.Bytes(common.FromHex("6007335f7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef5f5fa400")))
	return h
}

// depositCode calls transferFrom(caller, this, first argument) of a token.
func depositCode(token evm.Address) hexutil.Bytes {
	code := "6323b872dd60e01b5f52" + "33600452" + "30602452" + "600435604452" + "5f5f60645f5f73" + hex.EncodeToString(token[:]) + "5af100"
	return common.FromHex(code)
}

func (h *honest) add(name string, r *previewv1.SimulateRequest) {
	h.list = append(h.list, honestRequest{name, r})
}

func (h *honest) calls(name string, list ...*previewv1.Call) {
	h.add(name, &previewv1.SimulateRequest{Calls: list})
}

// callOf returns a call with arguments of Go types.
func callOf(to, value, signature string, values ...any) *previewv1.Call {
	c := &previewv1.Call{To: to, Value: value}
	if signature != "" {
		c.Data = "0x" + hex.EncodeToString(calldata.Parse(signature).Write(values...))
	}
	return c
}

func (h *honest) me() evm.Address { return evm.MustAddress(h.names["victim"]) }

// units returns a part of a balance in hundredths.
func (h *honest) units(symbol string, hundredths int64) *big.Int {
	n := new(big.Int).Mul(h.balance(symbol), big.NewInt(hundredths))
	return n.Quo(n, big.NewInt(100))
}

var held = []string{"tUSD", "tDAI", "tUSDT"}

// sends are payments of a part of a token, and of the native token.
func (h *honest) sends() {
	for _, symbol := range held {
		for _, part := range []int64{1, 10, 50, 80} {
			h.calls(fmt.Sprintf("%d%% of %s is sent", part, symbol), callOf(h.names[symbol], "", "transfer(address,uint256)", evm.MustAddress(friend), h.units(symbol, part)))
		}
		h.calls("two payments of "+symbol, callOf(h.names[symbol], "", "transfer(address,uint256)", evm.MustAddress(friend), h.units(symbol, 20)),
			callOf(h.names[symbol], "", "transfer(address,uint256)", common.HexToAddress("0xf41e1"), h.units(symbol, 20)))
	}
	for _, wei := range []string{"1", "1000000000000000", "1000000000000000000", "500000000000000000000", "2000000000000000000000"} {
		h.calls(wei+" wei are sent", callOf(friend, wei, ""))
	}
}

// approvals are rights for contracts that may be trusted with them, for a part at other ones, and their ends.
func (h *honest) approvals() {
	const approve = "approve(address,uint256)"
	unlimited := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	for _, symbol := range held {
		for _, v := range h.market.Venues {
			h.calls("exactly what a swap of "+symbol+" takes, for "+v.Name, callOf(h.names[symbol], "", approve, v.Router, h.units(symbol, 100)))
			h.calls("all of "+symbol+" for "+v.Name, callOf(h.names[symbol], "", approve, v.Router, unlimited))
		}
		h.calls("all of "+symbol+" for Permit2", callOf(h.names[symbol], "", approve, evm.MustAddress(permit2), unlimited))
		h.calls("all of "+symbol+" for CoW Protocol", callOf(h.names[symbol], "", approve, evm.MustAddress(relayer), unlimited))
		for _, part := range []int64{1, 25, 60} {
			h.calls(fmt.Sprintf("%d%% of %s for a vault", part, symbol), callOf(h.names[symbol], "", approve, evm.MustAddress(vault), h.units(symbol, part)))
		}
		h.calls("the end of a right to "+symbol, callOf(h.names[symbol], "", approve, evm.MustAddress(friend), new(big.Int)))
		h.calls("a right of Permit2 to "+symbol+" for a router", callOf(permit2, "", "approve(address,address,uint160,uint48)", evm.MustAddress(h.names[symbol]), h.market.Venues[0].Router,
			h.units(symbol, 10), big.NewInt(time.Now().Unix()+600)))
	}
	for _, symbol := range []string{"ANCHOR", "MOOR", "CLAIM"} {
		h.calls("a marketplace may move "+symbol, callOf(h.names[symbol], "", "setApprovalForAll(address,bool)", evm.MustAddress(conduit), true))
		h.calls("the end of a right to "+symbol, callOf(h.names[symbol], "", "setApprovalForAll(address,bool)", evm.MustAddress(friend), false))
	}
}

// swaps are trades on every venue, with their approval and without, of the native token and of others.
func (h *honest) swaps() {
	tokens := []string{"WETH", "tUSD", "tDAI", "tUSDT"}
	deadline := big.NewInt(time.Now().Unix() + 1200)
	for _, v := range h.market.Venues {
		router := v.Router.Hex()
		for _, sold := range held {
			for _, bought := range tokens {
				if sold == bought {
					continue
				}
				from, to := evm.MustAddress(h.names[sold]), evm.MustAddress(h.names[bought])
				for _, dollars := range []int64{20, 300} {
					amount := new(big.Int).Mul(big.NewInt(dollars), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(h.decimals(sold))), nil))
					h.calls(fmt.Sprintf("%d dollars of %s for %s on %s", dollars, sold, bought, v.Name), callOf(h.names[sold], "", "approve(address,uint256)", v.Router, amount),
						h.swap(v.Kind, router, from, to, amount, deadline))
				}
			}
		}
		if v.Kind == "v2-router" {
			h.calls("ether for tUSD on "+v.Name, callOf(router, "1000000000000000000", "swapExactETHForTokens(uint256,address[],address,uint256)", big.NewInt(1),
				[]common.Address{*h.market.Wrapped, evm.MustAddress(h.names["tUSD"])}, h.me(), deadline))
		}
	}
}

func (h *honest) decimals(symbol string) uint8 {
	t, _ := h.previewer.lists.Find(local, evm.MustAddress(h.names[symbol]))
	return t.Decimals
}

func (h *honest) swap(kind, router string, from, to evm.Address, amount, deadline *big.Int) *previewv1.Call {
	switch kind {
	case "v2-router":
		return callOf(router, "", "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", amount, big.NewInt(1), []common.Address{from, to}, h.me(), deadline)
	case "swap-router-02":
		return callOf(router, "", "swapExactTokensForTokens(uint256,uint256,address[],address)", amount, big.NewInt(1), []common.Address{from, to}, h.me())
	case "v3-router":
		return callOf(router, "", "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
			[]any{from, to, big.NewInt(3000), h.me(), deadline, amount, big.NewInt(1), new(big.Int)})
	default:
		return callOf(router, "", "exactInputSingle((address,address,address,uint256,uint256,uint256,uint160))", []any{from, to, h.me(), deadline, amount, big.NewInt(1), new(big.Int)})
	}
}

// others are calls of contracts that are in no list: votes, registrations, mints, claims, deposits and bridges; and wrapped native tokens.
func (h *honest) others() {
	id, yes := big.NewInt(42), uint8(1)
	for i, c := range []*previewv1.Call{
		callOf(registry, "", "castVote(uint256,uint8)", id, yes), callOf(registry, "", "castVoteWithReason(uint256,uint8,string)", id, yes, "for"),
		callOf(registry, "", "delegate(address)", evm.MustAddress(friend)), callOf(registry, "", "vote(uint256,bool,bool)", id, true, false),
		callOf(registry, "", "queue(uint256)", id), callOf(registry, "", "commit(bytes32)", common.Hash{1}), callOf(registry, "", "setText(bytes32,string,string)", common.Hash{1}, "url", "x"),
		callOf(registry, "", "setName(string)", "name"), callOf(registry, "", "follow(uint256[])", []*big.Int{id}), callOf(registry, "", "checkpoint()"),
		callOf(registry, "", "harvest()"), callOf(registry, "", "multicall(bytes[])", [][]byte{{1, 2, 3, 4}}), callOf(registry, "", "claim(uint256)", id),
		callOf(registry, "", "exit()"), callOf(registry, "", "setReferrer(address)", evm.MustAddress(friend)),
	} {
		h.calls(fmt.Sprintf("a vote or a registration, form %d", i), c)
	}
	for _, wei := range []string{"", "1000000000000000", "80000000000000000", "1000000000000000000"} {
		for _, form := range []string{"mint()", "publicMint()", "purchase()"} {
			h.calls("a mint by "+form+" for "+wei+" wei", callOf(mint, wei, form))
		}
		h.calls("a registration for "+wei+" wei", callOf(registry, wei, "register(string,address,uint256)", "name", h.me(), id))
		h.calls("a bridge for "+wei+" wei", callOf(registry, wei, "depositTransaction(address,uint256,uint64,bool,bytes)", h.me(), id, uint64(100000), false, []byte{}))
		h.calls("a stake for "+wei+" wei", callOf(registry, wei, "stake()"))
	}
	for _, wei := range []string{"1000000000000000", "1000000000000000000", "300000000000000000000"} {
		h.calls("a wrapped native token for "+wei+" wei", callOf(h.names["WETH"], wei, "deposit()"))
		n, _ := new(big.Int).SetString(wei, 10)
		h.calls("a wrapped native token and back, for "+wei+" wei", callOf(h.names["WETH"], wei, "deposit()"), callOf(h.names["WETH"], "", "withdraw(uint256)", n))
	}
	for _, part := range []int64{1, 5, 20, 40} {
		amount := h.units("tUSD", part)
		allow := callOf(h.names["tUSD"], "", "approve(address,uint256)", evm.MustAddress(vault), amount)
		h.calls(fmt.Sprintf("%d%% into a vault", part), allow, callOf(vault, "", "deposit(uint256,address)", amount, h.me()))
		h.calls(fmt.Sprintf("a stake of %d%%", part), allow, callOf(vault, "", "stake(uint256)", amount))
		h.calls(fmt.Sprintf("a bridge for %d%%", part), allow, callOf(vault, "", "bridge(uint256,uint256,address)", amount, id, h.me()))
		h.calls(fmt.Sprintf("a loan's collateral of %d%%", part), allow, callOf(vault, "", "supply(uint256,address,uint16)", amount, h.me(), uint16(0)))
	}
}

// makes calls a contract that makes a proxy, whose code is an upgrade in its first event.
func (h *honest) makes() {
	const factory = "0x00000000000000000000000000000000000fa020"
	upgraded := hex.EncodeToString(crypto.Keccak256([]byte("Upgraded(address)")))
	h.chain.Call(h.t, "anvil_setCode", factory, "0x602a600d5f39602a5f5ff05000"+"60017f"+upgraded+"5f5fa260015ff3")
	h.calls("a proxy is made", callOf(factory, "", "createAccount()"))
}

// statements are messages and typed data.
func (h *honest) statements() {
	message := func(name, text string) {
		h.add(name, &previewv1.SimulateRequest{Message: "0x" + hex.EncodeToString([]byte(text)), Origin: "https://shop.example"})
	}
	for i := range 10 {
		message(fmt.Sprintf("a sign-in at the same site, %d", i), fmt.Sprintf("shop.example wants you to sign in with your Ethereum account:\n%s\n\n\nURI: https://shop.example/%d\nVersion: 1\nChain ID: 31337\nNonce: abcdefgh1234567%d\nIssued At: 2026-01-01T00:00:00Z", h.names["victim"], i, i))
		message(fmt.Sprintf("a text, %d", i), fmt.Sprintf("I accept the terms of shop.example, version %d.", i))
	}
	data := func(name, primary string, domain, message map[string]any) {
		if _, ok := domain["chainId"]; !ok {
			domain["chainId"] = 31337
		}
		text, err := json.Marshal(map[string]any{"types": map[string]any{}, "primaryType": primary, "domain": domain, "message": message})
		if err != nil {
			h.t.Fatal(err)
		}
		h.add(name, &previewv1.SimulateRequest{TypedData: string(text)})
	}
	for i := range 10 {
		data(fmt.Sprintf("a vote of Snapshot, %d", i), "Vote", map[string]any{"name": "snapshot", "version": "0.1.4"},
			map[string]any{"from": h.names["victim"], "space": "shop.eth", "timestamp": 1767225600 + i, "proposal": "0x" + strings.Repeat("12", 32), "choice": i, "reason": "", "app": "snapshot", "metadata": "{}"})
		data(fmt.Sprintf("a login of an exchange, %d", i), "ClobAuth", map[string]any{"name": "ClobAuthDomain", "version": "1"},
			map[string]any{"address": h.names["victim"], "timestamp": fmt.Sprint(1767225600 + i), "nonce": i, "message": "This message attests that I control the given wallet"})
		data(fmt.Sprintf("a permit for a router, %d", i), "Permit", map[string]any{"name": "Test USD", "verifyingContract": h.names["tUSD"]},
			map[string]any{"owner": h.names["victim"], "spender": h.market.Venues[i%len(h.market.Venues)].Router.Hex(), "value": fmt.Sprint(1000 + i), "nonce": i, "deadline": 9999999999})
		data(fmt.Sprintf("a fair order of CoW Protocol, %d", i), "Order", map[string]any{"name": "Gnosis Protocol", "version": "v2", "verifyingContract": "0x9008D19f58AAbD9eD0D60971565AA8510560ab41"},
			map[string]any{"sellToken": h.names["tUSD"], "buyToken": h.names["tDAI"], "receiver": h.names["victim"], "sellAmount": fmt.Sprint((1 + i) * 90_000_000_000), "buyAmount": fmt.Sprint(1+i) + "89000000000000000000000"[1:], "validTo": 4294967295, "feeAmount": "0", "kind": "sell"})
		data(fmt.Sprintf("a collectible for sale, %d", i), "OrderComponents", map[string]any{"name": "Seaport", "version": "1.6", "verifyingContract": "0x0000000000000068F116a894984e2DB1123eB395"},
			map[string]any{"offerer": h.names["victim"], "offer": []any{map[string]any{"itemType": 2, "token": h.names["ANCHOR"], "identifierOrCriteria": h.names["ANCHOR.id"], "startAmount": "1", "endAmount": "1"}},
				"consideration": []any{map[string]any{"itemType": 0, "token": common.Address{}.Hex(), "identifierOrCriteria": "0", "startAmount": fmt.Sprint(i+1) + "000000000000000000", "endAmount": fmt.Sprint(i+1) + "000000000000000000", "recipient": h.names["victim"]}}, "counter": "0"})
		data(fmt.Sprintf("a grant with limits, %d", i), "Delegation", map[string]any{"name": "DelegationManager", "verifyingContract": h.names["DelegationManager"]},
			map[string]any{"delegate": friend, "delegator": h.names["victim"], "authority": "0x" + strings.Repeat("ff", 32), "caveats": []any{map[string]any{"enforcer": h.market.SmartAccounts.Enforcers["AllowedTargetsEnforcer"].Hex(), "terms": "0x01"}}, "salt": fmt.Sprint(i)})
	}
	data("a payment of a cent", "TransferWithAuthorization", map[string]any{"name": "Test USD", "verifyingContract": h.names["tUSD"]},
		map[string]any{"from": h.names["victim"], "to": friend, "value": "10000", "validAfter": 0, "validBefore": 9999999999, "nonce": "0x" + strings.Repeat("12", 32)})
	h.add("a delegation to known code", &previewv1.SimulateRequest{Delegate: h.names["EIP7702StatelessDeleGator"]})
	h.add("the end of a delegation", &previewv1.SimulateRequest{Delegate: common.Address{}.Hex()})
}

func TestHonestRequestsAreSeldomCalledDangerous(t *testing.T) {
	h := newHonest(t)
	defer h.chain.Call(t, "evm_revert", h.chain.Call(t, "evm_snapshot"))
	h.sends()
	h.approvals()
	h.swaps()
	h.others()
	h.makes()
	h.statements()
	honest, trades := 0, 0
	var red []string
	for _, r := range h.list {
		res := h.simulate(r.SimulateRequest)
		isSwap := strings.Contains(r.name, " dollars of ")
		if res.GetOutcome() == previewv1.Outcome_OUTCOME_REVERTS && isSwap {
			continue // the venue has no such pool
		}
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS && res.GetOutcome() != previewv1.Outcome_OUTCOME_MESSAGE {
			t.Errorf("%s: %s %s", r.name, res.GetOutcome(), res.GetReason())
		}
		honest++
		if isSwap {
			trades++
		}
		if isSwap && len(res.GetDescriptions()) != len(r.GetCalls()) || slices.ContainsFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return kindOf(w) == "MISDESCRIBED" }) {
			t.Errorf("%s: the descriptions are %v, and the warnings %v", r.name, res.GetDescriptions(), res.GetWarnings())
		}
		if w := res.GetWarnings(); len(w) > 0 && w[0].GetSeverity() == previewv1.Severity_SEVERITY_DANGER {
			red = append(red, fmt.Sprintf("%s: %s", r.name, w[0].GetText()))
		}
	}
	t.Logf("%d honest requests, of them %d swaps; %d are red", honest, trades, len(red))
	if honest < 200 || trades < 20 {
		t.Errorf("%d honest requests and %d swaps, want 200 and 20", honest, trades)
	}
	if len(red) > 0 {
		t.Errorf("%d of %d are red:\n%s", len(red), honest, strings.Join(red, "\n"))
	}
}
