// Package geth runs previews of requests on go-ethereum, as many chains do. It is a module of its own, so that the product does not depend on a node.
package geth

import (
	"context"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/simulated"
	"github.com/ethereum/go-ethereum/rpc"
	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/preview"
	"github.com/hawser-dev/hawser/services/preview/previewtest"
)

const chainID = "eip155:1337"

// gas is the gas limit that the transactions name.
const gas = 200_000

var ether = big.NewInt(1e18)

// node is a chains service with one node of go-ethereum.
type node struct{ *rpc.Client }

func (node) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: chainID, Name: "go-ethereum"}}}, nil
}

// Forward answers one call or a batch.
func (n node) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	type call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params []any           `json:"params"`
	}
	answer := func(c call) any {
		var result json.RawMessage
		if err := n.CallContext(ctx, &result, c.Method, c.Params...); err != nil {
			return map[string]any{"jsonrpc": "2.0", "id": c.ID, "error": map[string]any{"code": -32000, "message": err.Error()}}
		}
		return map[string]any{"jsonrpc": "2.0", "id": c.ID, "result": result}
	}
	var batch []call
	if json.Unmarshal(r.GetBody(), &batch) == nil {
		answers := make([]any, len(batch))
		for i, c := range batch {
			answers[i] = answer(c)
		}
		body, err := json.Marshal(answers)
		return &chainsv1.ForwardResponse{Body: body}, err
	}
	var single call
	if err := json.Unmarshal(r.GetBody(), &single); err != nil {
		return nil, err
	}
	body, err := json.Marshal(answer(single))
	return &chainsv1.ForwardResponse{Body: body}, err
}

// service receives the preview service.
type service struct{ previewv1.PreviewServiceServer }

func (s *service) RegisterService(_ *grpc.ServiceDesc, implementation any) {
	s.PreviewServiceServer = implementation.(previewv1.PreviewServiceServer)
}

func TestAContractThatSeesThatItIsSimulatedIsSeen(t *testing.T) {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	person, contract := crypto.PubkeyToAddress(key.PublicKey), common.HexToAddress("0xacc0")
	genesis := types.GenesisAlloc{person: {Balance: new(big.Int).Mul(ether, big.NewInt(1000))}, contract: {Balance: new(big.Int).Mul(ether, big.NewInt(5)), Code: []byte{0}}}
	baits := map[string]common.Address{}
	for name, condition := range previewtest.Conditions() {
		at := common.BigToAddress(big.NewInt(int64(0xbee0 + len(baits))))
		baits[name], genesis[at] = at, types.Account{Balance: new(big.Int).Mul(ether, big.NewInt(10)), Code: previewtest.Bait(condition)}
	}
	backend := simulated.NewBackend(genesis)
	defer func() { _ = backend.Close() }()
	backend.Commit()
	s, client := serve(t, backend)
	for name, at := range baits {
		for _, account := range []common.Address{person, contract} {
			shown, isSeen := simulate(t, s, account, at)
			if isSeen {
				continue
			}
			if account == contract {
				if shown.Cmp(new(big.Int).Neg(ether)) != 0 {
					t.Errorf("%s: %s is shown to a contract", name, shown)
				}
				continue
			}
			if real := send(t, backend, client, at, func(tx types.TxData) *types.Transaction {
				return types.MustSignNewTx(key, types.LatestSignerForChainID(big.NewInt(1337)), tx)
			}, person); shown.Cmp(real) != 0 {
				t.Errorf("%s: %s is shown, on the chain it is %s", name, shown, real)
			}
		}
	}
}

// beaconRoots is the contract with the roots of another chain (EIP-4788), and its code.
var (
	beaconRoots     = common.HexToAddress("0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02")
	beaconRootsCode = common.FromHex("3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500")
)

// Blocks of a chain have a root; go-ethereum simulates one without it unless the request names one.
func TestAContractThatSeesNoRootOfAnotherChainKeepsNothing(t *testing.T) {
	person, at := common.HexToAddress("0x9e250"), common.HexToAddress("0xbee0")
	// It gives where the root of this block is zero.
	root := "425f5260205f60205f73" + beaconRoots.Hex()[2:] + "5afa505f51"
	backend := simulated.NewBackend(types.GenesisAlloc{
		person: {Balance: new(big.Int).Mul(ether, big.NewInt(1000))}, beaconRoots: {Balance: new(big.Int), Code: beaconRootsCode},
		at: {Balance: new(big.Int).Mul(ether, big.NewInt(10)), Code: previewtest.Bait(root)},
	})
	defer func() { _ = backend.Close() }()
	backend.Commit()
	s, _ := serve(t, backend)
	if shown, isSeen := simulate(t, s, person, at); !isSeen && shown.Sign() >= 0 {
		t.Errorf("%s is shown", shown)
	}
}

// serve returns the preview service on a node, and a client of it.
func serve(t *testing.T, backend *simulated.Backend) (service, *ethclient.Client) {
	t.Helper()
	// The interface of the backend lacks its JSON-RPC client.
	client := reflect.ValueOf(backend.Client()).FieldByName("Client").Interface().(*ethclient.Client)
	n := node{client.Client()}
	chain := chainclient.NewFrom(n, n, clock.System{})
	lists, err := tokens.Load(tokens.Config{}, chain)
	if err != nil {
		t.Fatal(err)
	}
	var s service
	previews, err := preview.New(preview.DefaultConfig(), preview.Deps{Chain: chain, Lists: lists, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	previews.Register(&s)
	return s, client
}

// simulate returns the change of the account's balance that the preview shows, and whether it warns that the contract behaves differently.
func simulate(t *testing.T, s service, account, at common.Address) (shown *big.Int, isSeen bool) {
	t.Helper()
	res, err := s.Simulate(t.Context(), &previewv1.SimulateRequest{ChainId: chainID, Account: account.Hex(), Calls: []*previewv1.Call{{To: at.Hex(), Value: ether.String(), Data: "0x4e71d92d", Gas: gas}}})
	if err != nil || res.GetOutcome() != previewv1.Outcome_OUTCOME_SUCCEEDS {
		t.Fatalf("%v: %v", err, res)
	}
	shown = new(big.Int)
	for _, c := range res.GetChanges() {
		amount, _ := new(big.Int).SetString(c.GetAmount(), 10)
		if c.GetOutgoing() {
			amount.Neg(amount)
		}
		shown.Add(shown, amount)
	}
	return shown, slices.ContainsFunc(res.GetWarnings(), func(w *previewv1.Warning) bool {
		return w.GetKind() == previewv1.WarningKind_WARNING_KIND_BEHAVES_DIFFERENTLY && w.GetSeverity() == previewv1.Severity_SEVERITY_DANGER
	})
}

// send sends ether to a contract, and returns the change of the sender's balance without the fee.
func send(t *testing.T, backend *simulated.Backend, client *ethclient.Client, to common.Address, sign func(types.TxData) *types.Transaction, from common.Address) *big.Int {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	before, err := client.BalanceAt(ctx, from, nil)
	must(err)
	nonce, err := client.PendingNonceAt(ctx, from)
	must(err)
	head, err := client.HeaderByNumber(ctx, nil)
	must(err)
	priority := big.NewInt(1e9)
	tx := sign(&types.DynamicFeeTx{
		ChainID: big.NewInt(1337), Nonce: nonce, GasTipCap: priority, GasFeeCap: new(big.Int).Add(priority, new(big.Int).Lsh(head.BaseFee, 1)),
		Gas: gas, To: &to, Value: ether, Data: common.FromHex("4e71d92d"),
	})
	must(client.SendTransaction(ctx, tx))
	backend.Commit()
	receipt, err := client.TransactionReceipt(ctx, tx.Hash())
	must(err)
	after, err := client.BalanceAt(ctx, from, nil)
	must(err)
	change := new(big.Int).Sub(after, before)
	return change.Add(change, new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed)))
}
