package e2e

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"math/big"
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"google.golang.org/protobuf/encoding/protojson"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1/bundlerv1connect"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// TestCallsAreSentAndFoundByTheirID sends the calls of an account in every RPC protocol and follows them to their receipts.
func TestCallsAreSentAndFoundByTheirID(t *testing.T) {
	chain := devnettest.Start(t).Chains[0]
	eachShape(t, func(t *testing.T, s *suite) {
		for dialect, options := range dialects {
			t.Run(dialect, func(t *testing.T) {
				key, err := account.NewKey(rand.Reader)
				if err != nil {
					t.Fatal(err)
				}
				chain.Call(t, "anvil_setBalance", key.Address(), "0xde0b6b3a7640000")
				client := bundlerv1connect.NewCallsServiceClient(http.DefaultClient, s.url, append(options, connect.WithInterceptors(headers{"Hawser-Project-Id": project}))...)
				request := &bundlerv1.SendCallsRequest{ChainId: chain.CAIP2, Account: key.Address().String(), Id: "order 7"}
				for nonce := range uint64(2) {
					request.Transactions = append(request.Transactions, signTransfer(t, key, chain, nonce))
				}
				for range 2 { // sending the same again has no further effect
					sent, err := client.SendCalls(t.Context(), request)
					if err != nil || sent.GetId() != "order 7" {
						t.Fatalf("%v, %v", sent, err)
					}
				}
				request.Transactions = []string{signTransfer(t, key, chain, 2)}
				if _, err := client.SendCalls(t.Context(), request); connect.CodeOf(err) != connect.CodeAlreadyExists {
					t.Errorf("other calls under the same id: %v", err)
				}
				status := awaitCalls(t, client, key.Address().String(), "order 7")
				if status.GetStatus() != 200 || status.GetAtomic() || len(status.GetReceipts()) != 2 || status.GetReceipts()[0].GetStatus() != "0x1" {
					t.Errorf("the status is %v", status)
				}
			})
		}
	})
}

// TestADelegationIsEndedAtTheCostOfTheOperator sends the authorization of an account without funds in every RPC protocol and by REST.
func TestADelegationIsEndedAtTheCostOfTheOperator(t *testing.T) {
	chain := devnettest.Start(t).Chains[0]
	delegated := func(t *testing.T) (account.Key, *bundlerv1.RemoveDelegationRequest) {
		t.Helper()
		key, err := account.NewKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		chain.Call(t, "anvil_setCode", key.Address(), hexutil.Bytes(types.AddressToDelegation(evm.Address{0xde})))
		chain.Call(t, "evm_mine")
		var unsigned types.SetCodeAuthorization
		unsigned.ChainID.SetUint64(chain.ChainID)
		signed, err := key.SignAuthorization(unsigned)
		if err != nil {
			t.Fatal(err)
		}
		return key, &bundlerv1.RemoveDelegationRequest{ChainId: chain.CAIP2, Account: key.Address().String(), Authorization: &bundlerv1.Authorization{
			ChainId: hexutil.EncodeUint64(chain.ChainID), Address: evm.Address{}.String(), Nonce: "0x0", YParity: hexutil.EncodeUint64(uint64(signed.V)), R: signed.R.Hex(), S: signed.S.Hex(),
		}}
	}
	isEnded := func(t *testing.T, key account.Key) bool {
		t.Helper()
		return string(chain.Call(t, "eth_getCode", key.Address(), "latest")) == `"0x"`
	}
	eachShape(t, func(t *testing.T, s *suite) {
		for dialect, options := range dialects {
			t.Run(dialect, func(t *testing.T) {
				key, request := delegated(t)
				client := bundlerv1connect.NewCallsServiceClient(http.DefaultClient, s.url, append(options, connect.WithInterceptors(headers{"Hawser-Project-Id": project}))...)
				var id string
				for range 2 { // sending the same again has no further effect
					sent, err := client.RemoveDelegation(t.Context(), request)
					if err != nil || id != "" && sent.GetId() != id {
						t.Fatalf("%v, %v", sent, err)
					}
					id = sent.GetId()
				}
				status := awaitCalls(t, client, key.Address().String(), id)
				if status.GetStatus() != 200 || len(status.GetReceipts()) != 1 || status.GetUserOperationHash() != "" || !isEnded(t, key) {
					t.Errorf("the status is %v", status)
				}
			})
		}
		t.Run("rest", func(t *testing.T) {
			key, request := delegated(t)
			body, err := protojson.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			res, err := http.Post(s.url+"/v1/delegation-removals?projectId="+project, "application/json", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			var sent struct {
				ID string `json:"id"`
			}
			if err := json.NewDecoder(res.Body).Decode(&sent); err != nil || res.StatusCode != http.StatusOK {
				t.Fatalf("%s, %v", res.Status, err)
			}
			client := bundlerv1connect.NewCallsServiceClient(http.DefaultClient, s.url, connect.WithInterceptors(headers{"Hawser-Project-Id": project}))
			if status := awaitCalls(t, client, key.Address().String(), sent.ID); status.GetStatus() != 200 || !isEnded(t, key) {
				t.Errorf("the status is %v", status)
			}
		})
	})
}

// awaitCalls returns the status of calls when they are no longer pending.
func awaitCalls(t *testing.T, client bundlerv1connect.CallsServiceClient, of, id string) *bundlerv1.GetCallsResponse {
	t.Helper()
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		status, err := client.GetCalls(t.Context(), &bundlerv1.GetCallsRequest{Account: of, Id: id})
		if err != nil {
			t.Fatal(err)
		}
		if status.GetStatus() != 100 {
			return status
		}
	}
	t.Fatal("the calls stay pending")
	return nil
}

// signTransfer returns a signed transfer of 1 wei.
func signTransfer(t *testing.T, key account.Key, chain devnettest.Chain, nonce uint64) string {
	t.Helper()
	to := key.Address()
	to[0]++
	signed, err := key.SignTransaction(&types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(chain.ChainID), Nonce: nonce, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(1e11), Gas: 21_000, To: &to, Value: big.NewInt(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return hexutil.Encode(raw)
}
