package bundler

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/remote"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// unreachable is a chains service whose nodes do not answer.
type unreachable struct{}

var errUnreachable = errors.New("no node answers")

func (unreachable) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	return &chainsv1.ListNetworksResponse{}, nil
}

func (unreachable) Forward(context.Context, *chainsv1.ForwardRequest, ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	return nil, errUnreachable
}

func TestTheReceiptOfAnOperationWhoseNodesDoNotAnswerIsAnError(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Chains, cfg.Executors = map[string]Chain{local: {}}, []string{newKey(t).Hex()}
	deps := Deps{Chain: chainclient.NewFrom(unreachable{}, unreachable{}, clock.System{}), DB: open(t), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}
	s, err := newServer(t.Context(), cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	o, err := userop.Parse(json.RawMessage(`{"sender":"0x00000000000000000000000000000000000000aa"}`))
	if err != nil {
		t.Fatal(err)
	}
	hash, from := common.Hash{1}, evm.Address{2}
	record := executor.Record{ChainID: local, Hash: hash, EntryPoint: userop.EntryPoint07, Operation: o, State: executor.Sent, Received: deps.Clock.Now(), MaxLoss: new(big.Int), MaxFee: new(big.Int)}
	sign := func(nonce uint64) (executor.Transaction, error) {
		return executor.Transaction{ChainID: local, Hash: common.Hash{3}, Operation: hash, Executor: from, Nonce: nonce, Fee: executor.Fee{Max: common.Big1, Tip: common.Big1}}, nil
	}
	if _, err := s.store.Insert(t.Context(), record, executor.Limits{}, from, 0, sign); err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getUserOperationReceipt","params":["` + hash.Hex() + `"]}`)
	if answer, err := s.endpoint.Answer(t.Context(), project, local, "", body); !errors.Is(err, errUnreachable) {
		t.Errorf("answered %s, %v", answer, err)
	}
}

func TestABundlerThatRefusesWithoutAMessage(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32500,"message":""}}`))
	}))
	defer server.Close()
	client := remote.New(nil)
	defer client.Close()
	err := client.Call(t.Context(), server.URL, "eth_sendUserOperation", new(common.Hash))
	refused, ok := errors.AsType[*remote.Error](err)
	if !ok {
		t.Fatal(err)
	}
	failure := fault.From(explain(local, &executor.Refusal{Code: refused.Code, Message: refused.Message}))
	if failure.Code != codes.InvalidArgument || strings.TrimSpace(failure.Public) == "" {
		t.Errorf("explained as %v, %q", failure.Code, failure.Public)
	}
}
