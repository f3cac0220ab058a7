package preview

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/grpc"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

const local = "eip155:31337"

// world is the service on a local chain.
type world struct {
	*server
	t     *testing.T
	d     *devnettest.Devnet
	chain devnettest.Chain
	names map[string]string
	// lacks makes the nodes refuse this method, and refuses bodies with this text.
	lacks, refuses string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	d := devnettest.Start(t)
	w := &world{t: t, d: d, chain: d.Chain(t, local)}
	client := chainclient.NewFrom(w, w, clock.System{})
	lists, err := tokens.Load(tokens.Config{}, client)
	if err != nil {
		t.Fatal(err)
	}
	w.server = serverOf(t, DefaultConfig(), Deps{Chain: client, Lists: lists, Clock: clock.System{}, Prices: w})
	w.names = map[string]string{"victim": d.Accounts[5].Address, "thief": "0x00000000000000000000000000000000000bad01"}
	for name, address := range w.chain.Contracts {
		w.names[name] = address
	}
	for _, c := range w.chain.NFTs {
		w.names[c.Symbol], w.names[c.Symbol+".id"], w.names[c.Symbol+".holder"] = c.Address, c.Tokens[0].TokenID, c.Tokens[0].Holder
	}
	return w
}

func (w *world) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: local, Name: "Devnet", NativeCurrency: &chainsv1.NativeCurrency{Symbol: "ETH", Decimals: 18}, Development: w.d.Describe(local)}}}, nil
}

func (w *world) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if w.lacks != "" && strings.Contains(string(r.GetBody()), w.lacks) {
		return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"the method does not exist"}}`)}, nil
	}
	if w.refuses != "" && strings.Contains(string(r.GetBody()), w.refuses) {
		return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"invalid params"}}`)}, nil
	}
	body, err := w.chain.Forward(ctx, r.GetBody())
	return &chainsv1.ForwardResponse{Body: body}, err
}

// ListPrices answers as the balances service, for the tokens with a price feed.
func (w *world) ListPrices(_ context.Context, r *balancesv1.ListPricesRequest, _ ...grpc.CallOption) (*balancesv1.ListPricesResponse, error) {
	res := &balancesv1.ListPricesResponse{}
	for symbol, dollars := range map[string]float64{"ETH": 3125.42, "WETH": 3125.42, "tUSD": 1, "tDAI": 0.9998} {
		address := w.names[symbol]
		if symbol == "ETH" {
			address = evm.Native.Hex()
		}
		if id := local + ":" + address; slices.Contains(r.GetAddresses(), id) {
			res.Fungibles = append(res.Fungibles, &balancesv1.Fungible{Address: id, Price: dollars})
		}
	}
	return res, nil
}

// callCase is one call of a case file.
type callCase struct {
	To        string
	Call      string
	Args      []string
	Value     string
	Multicall []callCase
}

// data returns the calldata of a call.
func (c callCase) data(w *world) []byte {
	if c.Multicall != nil {
		list := []any{}
		for _, inner := range c.Multicall {
			list = append(list, []any{evm.MustAddress(inner.To), false, inner.data(w)})
		}
		return calldata.Parse("aggregate3((address,bool,bytes)[])").Write(list)
	}
	if c.Call == "" {
		return nil
	}
	var values []any
	for _, arg := range c.Args {
		switch n, isNumber := new(big.Int).SetString(arg, 10); {
		case len(arg) == 42:
			values = append(values, evm.MustAddress(arg))
		case isNumber:
			values = append(values, n)
		case arg == "true" || arg == "false":
			values = append(values, arg == "true")
		default:
			values = append(values, common.FromHex(arg))
		}
	}
	return calldata.Parse(c.Call).Write(values...)
}

func (c callCase) proto(w *world) *previewv1.Call {
	return &previewv1.Call{To: c.To, Value: c.Value, Data: "0x" + hex.EncodeToString(c.data(w))}
}

// simulate previews a request of the victim.
func (w *world) simulate(r *previewv1.SimulateRequest) *previewv1.SimulateResponse {
	w.t.Helper()
	r.ChainId, r.Account = local, w.names["victim"]
	res, err := w.Simulate(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

// allow lets Multicall3 take all units that the victim holds of a token, and transfer a collectible of another account.
func (w *world) allow(symbol string) {
	w.t.Helper()
	give := calldata.Parse("setApprovalForAll(address,bool)").Write(evm.MustAddress(w.names["Multicall3"]), true)
	w.chain.Call(w.t, "eth_sendTransaction", map[string]any{"from": w.names["CLAIM.holder"], "to": w.names["CLAIM"], "data": hexutil.Bytes(give)})
	data := calldata.Parse("approve(address,uint256)").Write(evm.MustAddress(w.names["Multicall3"]), big.NewInt(100_000_000))
	w.chain.Call(w.t, "eth_sendTransaction", map[string]any{"from": w.names["victim"], "to": w.names[symbol], "data": hexutil.Bytes(data)})
	for range 100 {
		var allowed hexutil.Bytes
		read := calldata.Parse("allowance(address,address)").Write(evm.MustAddress(w.names["victim"]), evm.MustAddress(w.names["Multicall3"]))
		raw := w.chain.Call(w.t, "eth_call", map[string]any{"to": w.names[symbol], "data": hexutil.Bytes(read)}, "latest")
		if err := json.Unmarshal(raw, &allowed); err != nil {
			w.t.Fatal(err)
		}
		if new(big.Int).SetBytes(allowed).Sign() > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatal("the approval is not included")
}

// bait adds contracts of a thief, which are in no list, and what the victim has: all of it, most of it, a half and a tenth. Most is 95 percent.
func (w *world) bait() {
	w.t.Helper()
	code := w.chain.Call(w.t, "eth_getCode", w.names["Multicall3"], "latest")
	for name, at := range map[string]struct {
		address string
		code    any
	}{
		"thiefContract": {"0x00000000000000000000000000000000000bad10", code}, // calls others for anyone, as Multicall3
		"bait":          {"0x00000000000000000000000000000000000bad11", bait("6000")},
		"pill":          {"0x00000000000000000000000000000000000bad12", bait("43600116")},
		"dust":          {"0x00000000000000000000000000000000000bad13", hexutil.Bytes(common.FromHex("5f5f5f5f6001335af100"))}, // sends a wei to its caller
	} {
		w.names[name] = at.address
		w.chain.Call(w.t, "anvil_setCode", at.address, at.code)
		w.chain.Call(w.t, "anvil_setBalance", at.address, "0x8ac7230489e80000")
	}
	exchangetest.Permit2(w.t, w.chain)
	if chain, ok := w.previewer.local.Describe().Chain(local); ok && chain.Wrapped != nil {
		w.names["WETH"] = chain.Wrapped.Hex()
		for name, enforcer := range chain.SmartAccounts.Enforcers {
			w.names[name] = enforcer.Hex()
		}
	}
	w.names["thief2"] = "0x00000000000000000000000000000000000bad02"
	for _, symbol := range []string{"tUSD", "tDAI", "tGOLD"} {
		w.parts(symbol, w.balance(symbol))
	}
	var native hexutil.Big
	if err := json.Unmarshal(w.chain.Call(w.t, "eth_getBalance", w.names["victim"], "latest"), &native); err != nil {
		w.t.Fatal(err)
	}
	w.parts("ETH", native.ToInt())
}

// balance returns the victim's balance of a token.
func (w *world) balance(symbol string) *big.Int {
	w.t.Helper()
	var held hexutil.Bytes
	read := calldata.Parse("balanceOf(address)").Write(evm.MustAddress(w.names["victim"]))
	if err := json.Unmarshal(w.chain.Call(w.t, "eth_call", map[string]any{"to": w.names[symbol], "data": hexutil.Bytes(read)}, "latest"), &held); err != nil {
		w.t.Fatal(err)
	}
	return new(big.Int).SetBytes(held)
}

// parts names parts of a balance.
func (w *world) parts(symbol string, whole *big.Int) {
	part := func(hundredths int64) string {
		n := new(big.Int).Mul(whole, big.NewInt(hundredths))
		return n.Quo(n, big.NewInt(100)).String()
	}
	w.names["all."+symbol], w.names["most."+symbol], w.names["half."+symbol], w.names["tenth."+symbol] = whole.String(), part(95), part(50), part(10)
	w.names["most.half."+symbol] = part(45)
}

// own gives the victim the first token of a collection.
func (w *world) own(symbol string) {
	w.t.Helper()
	id, _ := new(big.Int).SetString(w.names[symbol+".id"], 10)
	give := calldata.Parse("transferFrom(address,address,uint256)").Write(evm.MustAddress(w.names[symbol+".holder"]), evm.MustAddress(w.names["victim"]), id)
	w.chain.Send(w.t, map[string]any{"from": w.names[symbol+".holder"], "to": w.names[symbol], "data": hexutil.Bytes(give)})
}

func kindOf(w *previewv1.Warning) string {
	return strings.TrimPrefix(w.GetKind().String(), "WARNING_KIND_")
}

func TestDrainersAreCalledDangerous(t *testing.T) {
	w := newWorld(t)
	raw, err := os.ReadFile("testdata/drainers.json")
	if err != nil {
		t.Fatal(err)
	}
	w.bait()
	var cases []struct {
		Name      string
		Allow     string
		Owns      string
		Origin    string
		Text      string
		Calls     []callCase
		TypedData json.RawMessage
		Message   string
		Delegate  string
		Outcome   string
		Statement string
		Warnings  []string
	}
	if err := json.Unmarshal([]byte(os.Expand(string(raw), func(name string) string { return w.names[name] })), &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 40 {
		t.Errorf("%d drainers, want 40", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			snapshot := w.chain.Call(t, "evm_snapshot")
			defer w.chain.Call(t, "evm_revert", snapshot)
			if c.Allow != "" {
				w.allow(c.Allow)
			}
			if c.Owns != "" {
				w.own(c.Owns)
			}
			r := &previewv1.SimulateRequest{TypedData: string(c.TypedData), Message: c.Message, Delegate: c.Delegate, Origin: c.Origin}
			if c.Text != "" {
				r.Message = "0x" + hex.EncodeToString([]byte(c.Text))
			}
			for _, call := range c.Calls {
				r.Calls = append(r.Calls, call.proto(w))
			}
			res := w.simulate(r)
			if res.GetOutcome().String() != c.Outcome {
				t.Errorf("the outcome is %s (%s), want %s", res.GetOutcome(), res.GetReason(), c.Outcome)
			}
			if c.Statement != "" && res.GetStatement().GetKind().String() != c.Statement {
				t.Errorf("the statement is %v", res.GetStatement())
			}
			if len(res.GetWarnings()) == 0 || res.GetWarnings()[0].GetSeverity() != previewv1.Severity_SEVERITY_DANGER {
				t.Errorf("the first warning is no danger: %v", res.GetWarnings())
			}
			for _, want := range c.Warnings {
				if !slices.ContainsFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return kindOf(w) == want }) {
					t.Errorf("%s is missing: %v", want, res.GetWarnings())
				}
			}
		})
	}
}

func TestATransferSaysWhatLeavesAndToWhom(t *testing.T) {
	w := newWorld(t)
	to := "0x00000000000000000000000000000000000000A2"
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: to, Value: "1000"}}})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetWarnings()) > 0 || len(res.GetChanges()) != 1 || res.GetGas() < 21_000 {
		t.Fatalf("the preview is %v", res)
	}
	if c := res.GetChanges()[0]; !c.GetOutgoing() || c.GetAmount() != "1000" || c.GetCounterparty() != to || c.GetAsset().GetKind() != previewv1.AssetKind_ASSET_KIND_NATIVE {
		t.Errorf("the change is %v", c)
	}
}

func TestARevertIsToldWithItsReason(t *testing.T) {
	w := newWorld(t)
	call := callCase{To: w.names["tUSD"], Call: "transfer(address,uint256)", Args: []string{w.names["thief"], "1000000000000000000000"}}
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{call.proto(w)}})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || res.GetReason() == "" {
		t.Errorf("the preview is %v", res)
	}
}

func TestARevertOfAContractInNoListMayBeOtherwiseLater(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	const at = "0x000000000000000000000000000000000000beef"
	w.chain.Call(t, "anvil_setCode", at, "0x5f5ffd")
	for to, want := range map[string]previewv1.Phrase{at: previewv1.Phrase_PHRASE_REVERTS_UNKNOWN, w.names["tUSD"]: previewv1.Phrase_PHRASE_REVERTS} {
		res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: to, Data: "0x4e71d92d"}}})
		if res.GetOutcome() != previewv1.Outcome_OUTCOME_REVERTS || len(res.GetWarnings()) != 1 || res.GetWarnings()[0].GetPhrase() != want || res.GetWarnings()[0].GetSeverity() != previewv1.Severity_SEVERITY_CAUTION {
			t.Errorf("%s: %v", to, res)
		}
	}
}

func TestTypedDataThatIsNotUnderstoodIsSaid(t *testing.T) {
	w := newWorld(t)
	const person = "0x00000000000000000000000000000000000000A2"
	data := func(contract, message string) string {
		return `{"types":{},"primaryType":"Thing","domain":{"chainId":31337,"verifyingContract":"` + contract + `"},"message":` + message + `}`
	}
	for name, c := range map[string]struct {
		data     string
		severity previewv1.Severity
	}{
		"of a contract":                 {data(w.names["tUSD"], `{"note":"hello"}`), previewv1.Severity_SEVERITY_CAUTION},
		"of no contract":                {data(person, `{"note":"hello"}`), previewv1.Severity_SEVERITY_UNSPECIFIED},
		"with an amount and an account": {data(person, `{"give":"1000","whom":"`+person+`"}`), previewv1.Severity_SEVERITY_CAUTION},
		"with a number and an account":  {data(person, `{"nonce":"1000","whom":"`+person+`"}`), previewv1.Severity_SEVERITY_UNSPECIFIED},
	} {
		res := w.simulate(&previewv1.SimulateRequest{TypedData: c.data})
		if got := severityOf(res, "UNKNOWN_STATEMENT"); got != c.severity {
			t.Errorf("%s: %v", name, res.GetWarnings())
		}
	}
}

func TestAContractThatCallsForAnyoneIsInNoList(t *testing.T) {
	w := newWorld(t)
	for name, want := range map[string]bool{"tUSD": true, "Multicall3": false, "DelegationManager": false} {
		if w.previewer.isListed(local, evm.MustAddress(w.names[name])) != want {
			t.Errorf("%s: listed is not %t", name, want)
		}
	}
}

func TestCallsAreDecodedWhereTheNodesCannotSimulate(t *testing.T) {
	w := newWorld(t)
	w.lacks = "eth_simulateV1"
	call := callCase{To: w.names["tUSD"], Call: "approve(address,uint256)", Args: []string{w.names["thief"], "5"}}
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{call.proto(w)}})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_NOT_SIMULATED || res.GetCause() != previewv1.Cause_CAUSE_UNSUPPORTED || len(res.GetApprovals()) != 1 || res.GetApprovals()[0].GetAmount() != "5" {
		t.Errorf("the preview is %v", res)
	}
	if !slices.ContainsFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return kindOf(w) == "NOT_SIMULATED" }) {
		t.Errorf("the warnings are %v", res.GetWarnings())
	}
}

func TestCallsOfAnAccountThatDelegatesAndOfAContractAreSimulated(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	pay := []*previewv1.Call{{To: "0x00000000000000000000000000000000000000A2", Value: "1000"}, {To: "0x00000000000000000000000000000000000000A3", Value: "1000"}}
	if res := w.simulate(&previewv1.SimulateRequest{Calls: pay, Delegate: w.names["EIP7702StatelessDeleGator"]}); res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != 2 || len(res.GetWarnings()) > 0 {
		t.Errorf("an account that delegates: %v", res)
	}
	w.chain.Call(t, "anvil_setCode", w.names["victim"], "0x00")
	if res := w.simulate(&previewv1.SimulateRequest{Calls: pay}); res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != 2 {
		t.Errorf("a contract: %v", res)
	}
	w.chain.Call(t, "anvil_setBalance", w.names["victim"], "0x0")
	call := callCase{To: w.names["tUSD"], Call: "approve(address,uint256)", Args: []string{w.names["thief"], "5"}}
	if res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{call.proto(w)}}); res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetApprovals()) != 1 {
		t.Errorf("a contract without the native token, whose fees another pays: %v", res)
	}
}

func TestANodeThatDoesNotValidateIsAskedAgain(t *testing.T) {
	w := newWorld(t)
	w.refuses = `"validation":true`
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: "0x00000000000000000000000000000000000000A2", Value: "1000"}}})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != 1 {
		t.Errorf("the preview is %v", res)
	}
}

func TestHarmlessRequestsHaveNoWarning(t *testing.T) {
	w := newWorld(t)
	text := "shop.example wants you to sign in with your Ethereum account:\n" + w.names["victim"] +
		"\n\n\nURI: https://shop.example/\nVersion: 1\nChain ID: 31337\nNonce: abcdefgh12345678\nIssued At: 2026-01-01T00:00:00Z"
	message := func(text string) string { return "0x" + hex.EncodeToString([]byte(text)) }
	for name, r := range map[string]*previewv1.SimulateRequest{
		"a text":                      {Message: message("Hello, Müller")},
		"a sign-in at the same site":  {Message: message(text), Origin: "https://shop.example"},
		"a delegation to known code":  {Delegate: w.names["EIP7702StatelessDeleGator"]},
		"the removal of a delegation": {Delegate: "0x0000000000000000000000000000000000000000"},
	} {
		if res := w.simulate(r); len(res.GetWarnings()) > 0 {
			t.Errorf("%s: %v", name, res.GetWarnings())
		}
	}
	// A page in a sandbox has the origin null.
	for _, origin := range []string{"https://evil.example", "null", ""} {
		res := w.simulate(&previewv1.SimulateRequest{Message: message(text), Origin: origin})
		if len(res.GetWarnings()) != 1 || severityOf(res, "OTHER_SITE") != previewv1.Severity_SEVERITY_DANGER {
			t.Errorf("a sign-in at another site than %q: %v", origin, res.GetWarnings())
		}
	}
}

func TestARequestThatDoesMoreThanCanBeShownIsDangerous(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	// It logs 150 approvals of its caller.
	at := w.of("60965b60015f5280337f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560205fa36001900380600257" + "00")
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{{To: at, Data: "0x4e71d92d"}}})
	if len(res.GetApprovals()) != 100 || severityOf(res, "NOT_SIMULATED") != previewv1.Severity_SEVERITY_DANGER {
		t.Errorf("%s: %d approvals, %v", res.GetOutcome(), len(res.GetApprovals()), kindsOf(res.GetWarnings()))
	}
}

// talkative answers with a price of a token that was not asked for.
type talkative struct{}

func (talkative) ListPrices(_ context.Context, r *balancesv1.ListPricesRequest, _ ...grpc.CallOption) (*balancesv1.ListPricesResponse, error) {
	res := &balancesv1.ListPricesResponse{Fungibles: []*balancesv1.Fungible{{Address: "eip155:1:0x00000000000000000000000000000000000000a9", Price: 1e9}}}
	for _, id := range r.GetAddresses() {
		res.Fungibles = append(res.Fungibles, &balancesv1.Fungible{Address: id, Price: 2})
	}
	slices.Reverse(res.Fungibles)
	return res, nil
}

func TestAPriceThatWasNotAskedForIsLeftOut(t *testing.T) {
	usd := evm.Address{1}
	p := &Previewer{prices: talkative{}}
	changes := []effect.Change{{Asset: effect.Asset{Kind: effect.ERC20, Contract: usd}, Outgoing: true, Amount: big.NewInt(1)}, {Asset: effect.Asset{Kind: effect.Native}, Amount: big.NewInt(1)}}
	prices := p.pricesOf(t.Context(), local, changes, map[evm.Address]Token{usd: {Listed: true}})
	if len(prices) != 2 || prices[usd] != 2 || prices[evm.Address{}] != 2 {
		t.Errorf("the prices are %v", prices)
	}
}

// token deploys a contract that returns the balance 1000, in its first slot, for every account, and runs code for every
// other function.
func (w *world) token(code []byte) string {
	w.t.Helper()
	const at = "0x00000000000000000000000000000000000070ce"
	w.chain.Call(w.t, "anvil_setStorageAt", at, "0x0", "0x"+strings.Repeat("0", 61)+"3e8")
	balance := common.FromHex("5b60005460005260206000f3")                                   // return SLOAD(0)
	start := append(common.FromHex("60003560e01c6370a082311460"), byte(15+len(code)), 0x57) // balanceOf jumps behind the code
	w.chain.Call(w.t, "anvil_setCode", at, hexutil.Bytes(slices.Concat(start, code, balance)))
	return at
}

func TestATransferWithoutAnEventIsFoundByItsBalance(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	silent := w.token(common.FromHex("600060005500")) // SSTORE(0, 0) STOP
	call := callCase{To: silent, Call: "claim()"}
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{call.proto(w)}})
	if len(res.GetChanges()) != 1 || !res.GetChanges()[0].GetOutgoing() || res.GetChanges()[0].GetAmount() != "1000" {
		t.Fatalf("the changes are %v", res.GetChanges())
	}
	for _, want := range []string{"DRAINS", "HIDDEN_TRANSFER"} {
		if !slices.ContainsFunc(res.GetWarnings(), func(w *previewv1.Warning) bool { return kindOf(w) == want }) {
			t.Errorf("%s is missing: %v", want, res.GetWarnings())
		}
	}
}

func TestAnEventWithoutATransferIsNoChange(t *testing.T) {
	w := newWorld(t)
	defer w.chain.Call(t, "evm_revert", w.chain.Call(t, "evm_snapshot"))
	// MSTORE(0, 1000) LOG3(0, 32, Transfer, 0, CALLER) STOP
	boasting := w.token(common.FromHex("6103e86000523360007fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a300"))
	call := callCase{To: boasting, Call: "claim()"}
	res := w.simulate(&previewv1.SimulateRequest{Calls: []*previewv1.Call{call.proto(w)}})
	if res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS || len(res.GetChanges()) != 0 {
		t.Errorf("%s %s: the changes are %v", res.GetOutcome(), res.GetReason(), res.GetChanges())
	}
}
