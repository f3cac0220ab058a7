package e2e

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/sessions/grant"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/proof"
)

// sessionTest is a user whose account grants a session to a site, over REST and JSON-RPC.
type sessionTest struct {
	*suite
	chain         devnettest.Chain
	owner, site   account.Key
	contracts     delegation.Contracts
	pci, delegate string
	terms         map[string]any
	grant         grant.Grant
}

// TestASessionIsGrantedUsedAndRevoked lets a site spend of an allowance, with the bundler and the paymaster of the suite.
func TestASessionIsGrantedUsedAndRevoked(t *testing.T) {
	eachShape(t, func(t *testing.T, s *suite) {
		st := newSessionTest(t, s)
		st.create(t)
		var listed struct {
			Pcis []struct {
				PCI       string
				Project   struct{ ID string }
				Context   *string
				RevokedAt *int64
				State     string
			}
		}
		st.post(t, "/list", map[string]any{"proof": st.prove(t, proof.List)}, 200, &listed)
		if len(listed.Pcis) != 1 || listed.Pcis[0].PCI != st.pci || listed.Pcis[0].Project.ID != project || listed.Pcis[0].Context != nil || listed.Pcis[0].RevokedAt != nil {
			t.Fatalf("listed %+v", listed)
		}
		st.activate(t)

		shop := newAccount(t).Address()
		id := st.send(t, shop, 700)
		st.untilConfirmed(t, id)
		for _, over := range []int64{1001, 301} {
			if code, _ := st.prepare(t, shop, over); code != -2 {
				t.Errorf("a payment of %d wei, over the allowance: code %d", over, code)
			}
		}
		_, one := st.prepare(t, shop, 200)
		_, two := st.prepare(t, shop, 150)
		if answer := st.sendPrepared(t, one); answer.Error.Code != 0 {
			t.Errorf("a payment within the allowance: %+v", answer.Error)
		}
		if answer := st.sendPrepared(t, two); answer.Error.Code != -3 {
			t.Errorf("two payments over the allowance together: %+v", answer.Error)
		}
		var signed struct{ Signature string }
		st.post(t, "/sign", map[string]any{"pci": st.pci, "userOp": st.signedOperation(t, shop, 50)}, 200, &signed)
		if len(signed.Signature) != 2+2*2*65 {
			t.Errorf("the signature is %s", signed.Signature)
		}

		st.post(t, "/revoke", map[string]any{"pci": st.pci, "proof": st.prove(t, proof.Revoke)}, 200, nil)
		st.post(t, "/revoke", map[string]any{"pci": st.pci, "proof": st.prove(t, proof.Revoke)}, 400, nil)
		if code, _ := st.prepare(t, shop, 1); code != -2 {
			t.Errorf("a payment after the revocation: code %d", code)
		}
		st.post(t, "/list", map[string]any{"proof": st.prove(t, proof.List)}, 200, &listed)
		if got := listed.Pcis[0].State; got != sessionsv1.SessionState_SESSION_STATE_REVOKING.String() {
			t.Errorf("the state is %s", got)
		}
		st.post(t, "/revoke-all", map[string]any{"proof": st.prove(t, proof.RevokeAll)}, 200, nil)
	})
}

func newAccount(t *testing.T) account.Key {
	t.Helper()
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newSessionTest(t *testing.T, s *suite) *sessionTest {
	t.Helper()
	devnet := devnettest.Start(t)
	st := &sessionTest{suite: s, chain: devnet.Chains[0], owner: newAccount(t), site: newAccount(t)}
	st.chain.Call(t, "anvil_setBalance", st.owner.Address(), "0xde0b6b3a7640000")
	var described struct {
		SmartAccounts struct {
			Delegate, DelegationManager, Factory, MultiSig evm.Address
			Enforcers                                      map[string]evm.Address
		}
	}
	if err := json.Unmarshal(devnet.Describe(st.chain.CAIP2), &described); err != nil {
		t.Fatal(err)
	}
	c := described.SmartAccounts
	st.contracts = delegation.Contracts{Manager: c.DelegationManager, Factory: c.Factory, MultiSig: c.MultiSig, Enforcers: c.Enforcers}
	st.chain.Call(t, "anvil_setCode", st.owner.Address(), hexutil.Encode(append([]byte{0xef, 0x01, 0x00}, c.Delegate[:]...)))
	return st
}

// post posts a body below the path of the account's sessions.
func (st *sessionTest) post(t *testing.T, path string, body any, status int, into any) {
	t.Helper()
	st.postTo(t, fmt.Sprintf("/v1/sessions/%s:%s%s?projectId=%s&v=2", st.chain.CAIP2, st.owner.Address(), path, project), body, status, into)
}

func (st *sessionTest) postTo(t *testing.T, path string, body any, status int, into any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(st.url+path, "application/json", bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if status != 0 && res.StatusCode != status {
		t.Fatalf("%s: status %d, not %d: %s", path, res.StatusCode, status, answer)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			t.Fatalf("%s: %s: %v", path, answer, err)
		}
	}
}

func (st *sessionTest) create(t *testing.T) {
	t.Helper()
	now := time.Now().Unix()
	allowance := map[string]any{"allowance": "0x3e8", "start": now - 60, "period": 86_400}
	st.terms = map[string]any{
		"expiry":      now + 3600,
		"signer":      map[string]any{"type": "keys", "data": map[string]any{"keys": []any{map[string]any{"type": "secp256k1", "publicKey": hexutil.Encode(st.site.PublicKey())}}}},
		"permissions": []any{map[string]any{"type": grant.NativeAllowance, "data": allowance}},
		"policies":    []any{},
	}
	var created struct {
		PCI      string
		Key      struct{ Type, PublicKey string }
		Delegate string
	}
	st.post(t, "", st.terms, 200, &created)
	if len(created.Key.PublicKey) != 132 || created.Key.Type != "secp256k1" {
		t.Errorf("the key is %+v", created.Key)
	}
	if _, err := delegation.PublicKey(created.Key.PublicKey); err != nil {
		t.Error(err)
	}
	st.pci, st.delegate = created.PCI, created.Delegate
	data, err := json.Marshal(allowance)
	if err != nil {
		t.Fatal(err)
	}
	st.grant, err = grant.Parse(uint32(now)+3600, []grant.Item{{Type: grant.NativeAllowance, Data: data}}, nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
}

func (st *sessionTest) activate(t *testing.T) {
	t.Helper()
	delegate := evm.MustAddress(st.delegate)
	d := delegation.Delegation{
		Delegate: delegate, Delegator: st.owner.Address(), Caveats: st.grant.Caveats(st.contracts, delegate, new(big.Int)), Salt: big.NewInt(1),
	}
	d.Signature = delegation.Signature(st.owner.Sign(d.SigningHash(st.contracts.Manager, onchain.Number(st.chain.CAIP2))))
	body := map[string]any{"pci": st.pci, "context": hexutil.Encode(d.Context())}
	for name, value := range st.terms {
		body[name] = value
	}
	st.post(t, "/activate", body, 200, nil)
	var got struct{ Context string }
	res, err := http.Get(fmt.Sprintf("%s/v1/sessions/%s:%s/getcontext?projectId=%s&pci=%s", st.url, st.chain.CAIP2, st.owner.Address(), project, st.pci))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || got.Context != body["context"] {
		t.Errorf("the context is %s: %v", got.Context, err)
	}
}

func (st *sessionTest) prove(t *testing.T, kind string) map[string]any {
	t.Helper()
	var nonce [32]byte
	_, _ = rand.Read(nonce[:])
	deadline := uint32(time.Now().Unix()) + 300
	statement := proof.Statement{Kind: kind, PCI: st.pci, Account: request.Account{ChainID: st.chain.CAIP2, Address: st.owner.Address()}}
	return map[string]any{
		"nonce": common.Hash(nonce).Hex(), "deadline": deadline, "signature": hexutil.Encode(delegation.Signature(st.owner.Sign(statement.Hash(st.url, nonce, deadline)))),
	}
}

type rpcAnswer struct {
	Result []json.RawMessage
	Error  struct {
		Code    int
		Message string
	}
}

func (st *sessionTest) rpc(t *testing.T, method string, into any, params ...any) {
	t.Helper()
	st.postTo(t, "/v1/wallet?projectId="+project, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, 0, into)
}

type preparedCall struct {
	PreparedCalls struct {
		Type    string         `json:"type"`
		Data    map[string]any `json:"data"`
		ChainID string         `json:"chainId"`
	} `json:"preparedCalls"`
	SignatureRequest struct{ Hash common.Hash } `json:"-"`
	Signature        string                     `json:"signature"`
	Context          string                     `json:"context"`
}

// prepare returns the code of the refusal, or prepared calls that the site's key signed.
func (st *sessionTest) prepare(t *testing.T, to evm.Address, wei int64) (int, preparedCall) {
	t.Helper()
	var answer rpcAnswer
	st.rpc(t, "wallet_prepareCalls", &answer, map[string]any{
		"from": st.owner.Address(), "chainId": hexutil.EncodeUint64(st.chain.ChainID), "calls": []any{map[string]any{"to": to, "value": hexutil.EncodeUint64(uint64(wei))}},
		"capabilities": map[string]any{"permissions": map[string]any{"context": st.pci}},
	})
	var prepared preparedCall
	if answer.Error.Code != 0 {
		t.Logf("refused: %s", answer.Error.Message)
		return answer.Error.Code, prepared
	}
	var requested struct{ SignatureRequest struct{ Hash common.Hash } }
	for _, into := range []any{&prepared, &requested} {
		if err := json.Unmarshal(answer.Result[0], into); err != nil {
			t.Fatal(err)
		}
	}
	prepared.Signature = hexutil.Encode(st.site.Sign(requested.SignatureRequest.Hash))
	return 0, prepared
}

func (st *sessionTest) sendPrepared(t *testing.T, prepared preparedCall) (answer rpcAnswer) {
	t.Helper()
	st.rpc(t, "wallet_sendPreparedCalls", &answer, prepared)
	return answer
}

// send makes a payment and returns the id of the call.
func (st *sessionTest) send(t *testing.T, to evm.Address, wei int64) (id string) {
	t.Helper()
	code, prepared := st.prepare(t, to, wei)
	if code != 0 {
		t.Fatalf("the payment is not prepared: %d", code)
	}
	answer := st.sendPrepared(t, prepared)
	if answer.Error.Code != 0 {
		t.Fatalf("the payment is not sent: %+v", answer.Error)
	}
	if err := json.Unmarshal(answer.Result[0], &id); err != nil {
		t.Fatal(err)
	}
	return id
}

// signedOperation returns a user operation that the site's key signed.
func (st *sessionTest) signedOperation(t *testing.T, to evm.Address, wei int64) map[string]any {
	t.Helper()
	_, prepared := st.prepare(t, to, wei)
	prepared.PreparedCalls.Data["signature"] = prepared.Signature
	return prepared.PreparedCalls.Data
}

func (st *sessionTest) untilConfirmed(t *testing.T, id string) {
	t.Helper()
	for range 100 {
		var answer struct {
			Result struct {
				Status   string
				Receipts []struct{ Status, ChainID string }
			}
		}
		st.rpc(t, "wallet_getCallsStatus", &answer, id)
		if answer.Result.Status == "CONFIRMED" {
			if answer.Result.Receipts[0].Status != "0x1" {
				t.Errorf("the payment reverted: %+v", answer)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the payment stays pending")
}
