package bundler

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/bundler/endpoint"
	"github.com/hawser-dev/hawser/services/bundler/estimate"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/network"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const (
	local   = "eip155:31337"
	project = "0123456789abcdef0123456789abcdef"

	// signerKey signs for the paymaster of the local chains: m/44'/60'/0'/4/0 of the development mnemonic.
	signerKey = "792a6fae15e286ff265dddeea177453313f7401ab113aeb4445d38af273b1ec4"
)

// patience bounds how long a test waits for the chain. It is long because a build server may be busy.
const patience = time.Minute

// eventually waits until done returns true, and fails the test if it does not.
func (w *world) eventually(what string, done func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("never: %s", what)
		}
	}
}

// world is a bundler of the local chains.
type world struct {
	*server
	t     testing.TB
	chain devnettest.Chain
	log   *slog.Logger
	clock *clocktest.Ahead
	// withhold makes the nodes drop transactions that are sent.
	withhold atomic.Bool
	// hangs reports whether a call of another chain than the local one was made: such calls end with their context.
	hangs atomic.Bool
	// isFull makes the nodes refuse requests for several receipts.
	isFull atomic.Bool
	// lacks is a method that the nodes do not support.
	lacks string
}

func newWorld(t testing.TB, db *store.DB, change func(*Config), with ...func(*Deps)) *world {
	t.Helper()
	d := devnettest.Start(t)
	w := &world{t: t, chain: d.Chain(t, local), log: slog.New(slog.DiscardHandler), clock: &clocktest.Ahead{}}
	cfg := DefaultConfig()
	cfg.Chains = map[string]Chain{local: {}}
	cfg.Executors = []string{newExecutor(t, w.chain), newExecutor(t, w.chain)}
	cfg.Paymaster = paymaster.Config{
		Signer: signerKey, Projects: []string{paymaster.AllProjects}, ProjectPerDay: "10000000000000000000", AccountPerDay: "10000000000000000000",
	}
	cfg.Limits.ProjectLossPerHour, cfg.Limits.LossPerHour = "10000000000000000000", "10000000000000000000"
	cfg.Limits.AccountPerHour, cfg.Limits.ProjectPerHour = 0, 0
	if change != nil {
		change(&cfg)
	}
	nodes := &localNodes{w, d}
	deps := Deps{Chain: chainclient.NewFrom(nodes, nodes, clock.System{}), DB: db, Clock: w.clock, Log: w.log}
	for _, add := range with {
		add(&deps)
	}
	s, err := newServer(t.Context(), cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	w.server = s
	return w
}

func open(t testing.TB) *store.DB { return storetest.Open(t, storetest.SQLite(t)) }

// localNodes is the chains service with the local chains.
type localNodes struct {
	w *world
	d *devnettest.Devnet
}

func (n *localNodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	res := &chainsv1.ListNetworksResponse{}
	for _, c := range n.d.Chains {
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: c.CAIP2, Name: c.Name, Development: n.d.Describe(c.CAIP2)})
	}
	return res, nil
}

func (n *localNodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if n.w.lacks != "" && strings.Contains(string(r.GetBody()), n.w.lacks) {
		return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"the method does not exist"}}`)}, nil
	}
	if n.w.isFull.Load() && strings.Count(string(r.GetBody()), "eth_getTransactionReceipt") > 1 {
		return nil, errors.New("the answer is too large")
	}
	if n.w.withhold.Load() {
		var q struct {
			Method string `json:"method"`
		}
		if json.Unmarshal(r.GetBody(), &q) == nil && q.Method == "eth_sendRawTransaction" {
			return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":0,"result":"0x00"}`)}, nil
		}
	}
	if r.GetChainId() != local {
		n.w.hangs.Store(true)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	body, err := n.w.chain.Forward(ctx, r.GetBody())
	return &chainsv1.ForwardResponse{Body: body}, err
}

func newExecutor(t testing.TB, chain devnettest.Chain) string {
	key := newKey(t)
	fund(t, chain, key.Address())
	return key.Hex()
}

func newKey(t testing.TB) account.Key {
	t.Helper()
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func fund(t testing.TB, chain devnettest.Chain, a evm.Address) {
	chain.Call(t, "anvil_setBalance", a, "0xde0b6b3a7640000")
}

// person is an account that delegates to EIP7702StatelessDeleGator.
type person struct {
	w   *world
	key account.Key
}

func (w *world) newPerson() person {
	w.t.Helper()
	p := person{w, newKey(w.t)}
	fund(w.t, w.chain, p.key.Address())
	return p
}

func (w *world) network() network.Network {
	w.t.Helper()
	n, err := w.endpoint.Network(w.t.Context(), local)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

var execute = calldata.Parse("execute(bytes32,bytes)")

// operation returns an unsigned operation that sends wei to an address, and offers twice the suggested base fee.
func (p person) operation(to evm.Address, wei int64) *userop.Operation {
	p.w.t.Helper()
	price, err := p.w.executor.Load().Price(p.w.t.Context(), local)
	if err != nil {
		p.w.t.Fatal(err)
	}
	single := append(append(to.Bytes(), common.LeftPadBytes(big.NewInt(wei).Bytes(), 32)...), []byte{}...)
	o := &userop.Operation{Sender: p.key.Address(), CallData: execute.Write([32]byte{}, single), Signature: make([]byte, 65)}
	o.Signature = common.Hex2Bytes("fffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c")
	o.MaxFeePerGas.SetFromBig(new(big.Int).Mul(price.Max, big.NewInt(2)))
	o.MaxPriorityFeePerGas.SetFromBig(price.Tip)
	return o
}

// delegate adds an authorization with the nonce of the account's first transaction.
func (p person) delegate(o *userop.Operation) *userop.Operation {
	p.w.t.Helper()
	n := p.w.network()
	a, err := p.key.SignAuthorization(types.SetCodeAuthorization{ChainID: *uint256.MustFromBig(n.Number), Address: n.Delegate})
	if err != nil {
		p.w.t.Fatal(err)
	}
	o.Authorization = &userop.Authorization{
		ChainID: userop.Quantity{Int: a.ChainID}, Address: a.Address, Nonce: userop.NewQuantity(a.Nonce), YParity: userop.NewQuantity(uint64(a.V)),
		R: userop.Quantity{Int: a.R}, S: userop.Quantity{Int: a.S},
	}
	return o
}

// estimated sets the gas of an operation.
func (p person) estimated(o *userop.Operation) *userop.Operation {
	p.w.t.Helper()
	var gas estimate.Gas
	p.w.mustCall(&gas, "eth_estimateUserOperationGas", o, userop.EntryPoint07)
	o.CallGasLimit, o.VerificationGasLimit = userop.NewQuantity(uint64(gas.Call)), userop.NewQuantity(uint64(gas.Verification))
	o.PreVerificationGas = userop.NewQuantity(uint64(gas.PreVerification))
	return o
}

var (
	delegatorTypes  = calldata.Types("(bytes32,address,uint256,bytes32,bytes32,bytes32,uint256,bytes32,bytes32,address)")
	delegatorDomain = calldata.Types("(bytes32,bytes32,bytes32,uint256,address)")
)

// sign signs an operation in the way that EIP7702StatelessDeleGator verifies.
func (p person) sign(o *userop.Operation) *userop.Operation {
	p.w.t.Helper()
	return p.signAs(o, "EIP7702StatelessDeleGator")
}

// signAs signs an operation in the way that the code of an account with a name verifies.
func (p person) signAs(o *userop.Operation, name string) *userop.Operation {
	p.w.t.Helper()
	hash := func(b []byte) [32]byte { return [32]byte(crypto.Keccak256(b)) }
	of := func(s string) [32]byte { return hash([]byte(s)) }
	separator := delegatorDomain.Write(of("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"), of(name),
		of("1"), p.w.network().Number, o.Sender)
	inner := delegatorTypes.Write(of("PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,"+
		"uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,address entryPoint)"), o.Sender, o.Nonce.ToBig(), hash(o.InitCode()),
		hash(o.CallData), o.GasLimits(), o.PreVerificationGas.ToBig(), o.GasFees(), hash(o.PaymasterAndData()), userop.EntryPoint07)
	o.Signature = p.key.Sign([32]byte(crypto.Keccak256([]byte{0x19, 0x01}, crypto.Keccak256(separator), crypto.Keccak256(inner))))
	o.Signature[64] += 27
	return o
}

// reply is a JSON-RPC response.
type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// call calls a method of the bundler.
func (w *world) call(method string, params ...any) reply {
	w.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := w.endpoint.Answer(w.t.Context(), project, local, "", body)
	if err != nil {
		w.t.Fatalf("%s: %v", method, err)
	}
	var r reply
	if err := json.Unmarshal(answer, &r); err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) mustCall(into any, method string, params ...any) {
	w.t.Helper()
	r := w.call(method, params...)
	if r.Error != nil {
		w.t.Fatalf("%s: %d %s", method, r.Error.Code, r.Error.Message)
	}
	if err := json.Unmarshal(r.Result, into); err != nil {
		w.t.Fatalf("%s: %s: %v", method, r.Result, err)
	}
}

// send sends an operation and returns its hash.
func (w *world) send(o *userop.Operation) (hash common.Hash) {
	w.t.Helper()
	w.mustCall(&hash, "eth_sendUserOperation", o, userop.EntryPoint07)
	return hash
}

// receipt waits for the receipt of an operation.
func (w *world) receipt(hash common.Hash) (r endpoint.Receipt) {
	w.t.Helper()
	w.eventually("the operation has a receipt", func() (ok bool) {
		r, ok = w.findReceipt(hash)
		return ok
	})
	return r
}

// findReceipt returns the receipt of an operation; false before it is in a block.
func (w *world) findReceipt(hash common.Hash) (r endpoint.Receipt, ok bool) {
	w.t.Helper()
	answer := w.call("eth_getUserOperationReceipt", hash)
	if answer.Error != nil || string(answer.Result) == "null" {
		return r, false
	}
	if err := json.Unmarshal(answer.Result, &r); err != nil {
		w.t.Fatal(err)
	}
	return r, true
}

func (w *world) localChain() executor.Chain {
	w.t.Helper()
	c, err := w.endpoint.Chain(w.t.Context(), local)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) step() {
	w.t.Helper()
	if err := w.executor.Load().Step(w.t.Context(), w.localChain()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) balance(a evm.Address) *big.Int {
	w.t.Helper()
	var n hexutil.Big
	if err := json.Unmarshal(w.chain.Call(w.t, "eth_getBalance", a, "latest"), &n); err != nil {
		w.t.Fatal(err)
	}
	return n.ToInt()
}
