package sessions

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/sessions/message"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/proof"
)

func TestTheCoSignerRefusesWhatIsNotGranted(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	s.must(pay(shop, 1))
	for name, call := range map[string]*sessionsv1.SessionCall{
		"over the allowance": pay(shop, 1001),
		"with data":          {To: shop.Hex(), Value: "0x1", Data: "0x00"},
		"a contract":         {To: w.chain.Token(t, "tUSD").Address, Data: hexutil.Encode(transfer.Write(shop, 1))},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.prepare(call)
			wantReason(t, err, faultv1.Reason_REASON_PERMISSION_EXCEEDED)
			// The same with an operation that the site builds itself.
			o := s.operation(s.site, pay(shop, 1))
			d, err := delegation.Parse(s.context)
			if err != nil {
				t.Fatal(err)
			}
			c, err := message.Call(call)
			if err != nil {
				t.Fatal(err)
			}
			o.CallData = delegation.Redeem([]delegation.Use{{Delegation: d, Call: c}})
			s.signBy(s.site, o)
			wantReason(t, s.signOperation(o), faultv1.Reason_REASON_PERMISSION_EXCEEDED)
		})
	}
}

func TestTheCoSignerCountsWhatItSignsFor(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(project, func(r *sessionsv1.CreateSessionRequest) { r.Expiry += 2 * day }, native(w, 1000, day))
	one, two := s.operation(s.site, pay(shop, 600)), s.operation(s.site, pay(shop, 500))
	for range 2 { // the same operation is counted once
		if err := s.signOperation(one); err != nil {
			t.Fatal(err)
		}
	}
	wantReason(t, s.signOperation(two), faultv1.Reason_REASON_PERMISSION_EXCEEDED)
	w.sleep(day)
	if err := s.signOperation(two); err != nil {
		t.Errorf("in the next period: %v", err)
	}
}

func TestTheCoSignerCountsCalls(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	limit := permission(t, "call-limit", map[string]any{"count": 2})
	s := w.newPerson().granted(project, func(r *sessionsv1.CreateSessionRequest) {
		r.Policies = []*sessionsv1.Policy{{Type: limit.GetType(), Data: limit.GetData()}}
	}, native(w, 1000, day))
	s.must(pay(shop, 1), pay(shop, 1))
	_, err := s.call(pay(shop, 1))
	wantReason(t, err, faultv1.Reason_REASON_PERMISSION_EXCEEDED)
}

func TestTheCoSignerSignsSoManyOperationsInAnHour(t *testing.T) {
	w := newWorld(t, openDB(t))
	w.sessions.SignedPerHour = 1
	shop := newKey(t).Address()
	s := w.newPerson().granted(project, func(r *sessionsv1.CreateSessionRequest) { r.Expiry += 3600 }, native(w, 1000, day))
	o := s.operation(s.site, pay(shop, 1))
	if err := s.signOperation(o); err != nil {
		t.Fatal(err)
	}
	// The same operation is signed again without being counted.
	if err := s.signOperation(o); err != nil {
		t.Fatal(err)
	}
	wantReason(t, s.signOperation(s.operation(s.site, pay(shop, 2))), faultv1.Reason_REASON_PERMISSION_EXCEEDED)
	w.clock.Pass(time.Hour)
	if err := s.signOperation(s.operation(s.site, pay(shop, 1))); err != nil {
		t.Error(err)
	}
}

func TestReplicasCountTogether(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		keyFile := filepath.Join(t.TempDir(), "wallet.key")
		replicas := []*world{newWorldAt(t, storetest.Open(t, dsn), keyFile), newWorldAt(t, storetest.Open(t, dsn), keyFile)}
		shop := newKey(t).Address()
		s := replicas[0].newPerson().granted(project, nil, native(replicas[0], 1000, day))
		const operations, wei = 16, 100
		signed := make([]*userop.Operation, operations)
		for i := range signed {
			signed[i] = s.operation(s.site, pay(shop, wei))
			signed[i].CallGasLimit = userop.NewQuantity(uint64(500_000 + i))
			s.signBy(s.site, signed[i])
		}
		var count atomic.Int64
		routine.Collect(t.Context(), operations, func(i int) (struct{}, error) {
			of := *s
			of.w = replicas[i%2]
			if of.signOperation(signed[i]) == nil {
				count.Add(1)
			}
			return struct{}{}, nil
		})
		if count.Load() != 1000/wei {
			t.Errorf("%d operations were signed, not %d", count.Load(), 1000/wei)
		}
	})
}

func TestTheCoSignerAppliesRulesOfArguments(t *testing.T) {
	w := newWorld(t, openDB(t))
	token, shop := evm.MustAddress(w.chain.Token(t, "tUSD").Address), newKey(t).Address()
	approve := calldata.Parse("approve(address,uint256)")
	abi := []any{map[string]any{"type": "function", "name": "approve", "inputs": []any{
		map[string]any{"name": "spender", "type": "address"}, map[string]any{"name": "amount", "type": "uint256"},
	}}}
	call := permission(t, "contract-call", map[string]any{"address": token, "abi": abi, "functions": []any{map[string]any{
		"functionName": "approve", "args": []any{
			map[string]any{"operator": "EQUAL", "value": addressWord(shop)}, map[string]any{"operator": "LESS_THAN", "value": "0x64"},
		},
	}}})
	s := w.newPerson().granted(project, nil, call, native(w, 1000, day))
	s.must(&sessionsv1.SessionCall{To: token.Hex(), Data: hexutil.Encode(approve.Write(shop, 99))}, pay(shop, 10))
	for name, data := range map[string][]byte{
		"another spender":  approve.Write(newKey(t).Address(), 99),
		"too large":        approve.Write(shop, 100),
		"another function": transfer.Write(shop, 99),
		"too short":        approve.Write(shop, 99)[:67],
	} {
		_, err := s.prepare(&sessionsv1.SessionCall{To: token.Hex(), Data: hexutil.Encode(data)})
		if f := reasonOf(err); f != faultv1.Reason_REASON_PERMISSION_EXCEEDED {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := s.prepare(&sessionsv1.SessionCall{To: token.Hex(), Value: "0x1", Data: hexutil.Encode(approve.Write(shop, 99))})
	wantReason(t, err, faultv1.Reason_REASON_PERMISSION_EXCEEDED)
}

func TestRulesThatNoContractHasNeedTheCoSigner(t *testing.T) {
	w := newWorld(t, openDB(t))
	token := w.chain.Token(t, "tUSD").Address
	abi := []any{map[string]any{"type": "function", "name": "burn", "inputs": []any{map[string]any{"name": "n", "type": "uint256"}}}}
	call := permission(t, "contract-call", map[string]any{"address": token, "abi": abi, "functions": []any{map[string]any{
		"functionName": "burn", "args": []any{map[string]any{"operator": "GREATER_THAN", "value": "0x1"}},
	}}})
	s := w.newPerson().create(alone, nil, call)
	if !s.created.GetCoSigned() {
		t.Fatal("the session has no co-signer")
	}
	c, _ := w.server.chain.Contracts(local)
	account := delegation.Account{Factory: c.Factory, Implementation: c.MultiSig, Owners: []evm.Address{s.site.Address()}}
	s.created.Delegate = account.Address().Hex()
	wantReason(t, s.activate(s.request, s.sign(s.request, s.key, nil)), faultv1.Reason_REASON_CONTEXT_INVALID)
}

func TestATokenAllowanceIsSpent(t *testing.T) {
	for _, of := range []string{project, alone} {
		w := newWorld(t, openDB(t))
		token, shop := evm.MustAddress(w.chain.Token(t, "tUSD").Address), newKey(t).Address()
		p := w.newPerson()
		w.chain.Call(t, "anvil_impersonateAccount", w.nodes.devnet.Accounts[0].Address)
		w.chain.Send(t, map[string]any{"from": w.nodes.devnet.Accounts[0].Address, "to": token, "data": hexutil.Bytes(transfer.Write(p.key.Address(), 5000))})
		allowance := permission(t, "erc20-recurring-allowance", map[string]any{
			"token": token, "allowance": "0x3e8", "start": w.clock.Now().Unix() - 10, "period": day,
		})
		s := p.granted(of, nil, native(w, 1000, day), allowance)
		send := func(n int) *sessionsv1.SessionCall {
			return &sessionsv1.SessionCall{To: token.Hex(), Data: hexutil.Encode(transfer.Write(shop, n))}
		}
		s.must(send(700), pay(shop, 5))
		if ok, err := s.call(send(301)); ok {
			t.Errorf("1 unit over the allowance succeeded: %v", err)
		}
		listed := s.list()[0].GetAllowances()
		if listed[0].GetSpent() != "5" || listed[1].GetSpent() != "700" || listed[1].GetAllowed() != "1000" || listed[1].GetToken() != token.Hex() {
			t.Errorf("listed %v", listed)
		}
	}
}

func TestTheCoSignerRefusesARevokedSession(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	o := s.operation(s.site, pay(shop, 1))
	if _, err := w.RevokeSession(as(t, project), &sessionsv1.RevokeSessionRequest{
		Account: s.id(), Pci: s.pci, Proof: s.prove(proof.Statement{Kind: proof.Revoke, PCI: s.pci}, s.key),
	}); err != nil {
		t.Fatal(err)
	}
	wantReason(t, s.signOperation(o), faultv1.Reason_REASON_SESSION_REVOKED)
	_, err := s.prepare(pay(shop, 1))
	wantReason(t, err, faultv1.Reason_REASON_SESSION_REVOKED)
	if got := s.list()[0].GetState(); got != sessionsv1.SessionState_SESSION_STATE_REVOKING {
		t.Errorf("the state is %s", got)
	}
	s.disable()
	if got := s.list()[0].GetState(); got != sessionsv1.SessionState_SESSION_STATE_REVOKED {
		t.Errorf("the state is %s", got)
	}
}

func TestTheCoSignersSignatureIsOfItsKey(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	o := s.operation(s.site, pay(newKey(t).Address(), 1))
	res, err := w.SignUserOperation(as(t, project), s.signRequest(o))
	if err != nil {
		t.Fatal(err)
	}
	coSigner, err := delegation.PublicKey(s.created.GetKey().GetPublicKey())
	if err != nil {
		t.Fatal(err)
	}
	signature := common.FromHex(res.GetSignature())
	hash := delegation.SigningHash(o, onchain.Number(local))
	owners := map[evm.Address]bool{}
	for ; len(signature) > 0; signature = signature[65:] {
		owner, _ := delegation.Signer(hash, signature[:65])
		owners[owner] = true
	}
	if !owners[coSigner] || !owners[s.site.Address()] || len(owners) != 2 {
		t.Errorf("the owners are %v", owners)
	}
}

func TestASignatureOfTheSiteIsNeeded(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	prepared, err := s.prepare(pay(newKey(t).Address(), 1))
	if err != nil {
		t.Fatal(err)
	}
	hash := common.HexToHash(prepared.GetHash())
	_, err = s.sendSigned(prepared, newKey(t).Sign(hash))
	wantReason(t, err, faultv1.Reason_REASON_SIGNATURE_INVALID)
	_, err = s.sendSigned(prepared, s.site.Sign([32]byte(accounts.TextHash(hash[:]))))
	wantReason(t, err, faultv1.Reason_REASON_SIGNATURE_INVALID)
	if !bytes.Contains([]byte(err.Error()), []byte("EIP-191")) {
		t.Errorf("the error does not say what is wrong: %v", err)
	}
}

// A copy of the database does not open any key, and the key of one session cannot be used as that of another.
func TestADatabaseHasNoKeys(t *testing.T) {
	db := openDB(t)
	w := newWorld(t, db)
	one, two := w.newPerson().granted(project, nil, native(w, 1000, day)), w.newPerson().granted(project, nil, native(w, 1000, day))
	first, err := w.records.Find(t.Context(), one.pci)
	if err != nil {
		t.Fatal(err)
	}
	key, err := w.records.Key(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	var row string
	if err := db.Reader().QueryRowContext(t.Context(), `SELECT sealed_key || terms || context FROM sessions_sessions WHERE pci = $1`, one.pci).Scan(&row); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains([]byte(row), []byte(key.Hex())) {
		t.Error("the row has the key")
	}
	second, err := w.records.Find(t.Context(), two.pci)
	if err != nil {
		t.Fatal(err)
	}
	second.SealedKey = first.SealedKey
	if _, err := w.records.Key(t.Context(), second); err == nil {
		t.Error("the key of another session was opened")
	}
	other := newWorld(t, db)
	if _, err := other.records.Key(t.Context(), first); err == nil {
		t.Error("another key encryption key opened the key")
	}
}

func TestListsShowWhatTheChainKnows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		p := w.newPerson()
		s := p.granted(project, nil, native(w, 1000, day))
		s.must(pay(newKey(t).Address(), 300), pay(newKey(t).Address(), 50))
		pending := p.create(project, nil, native(w, 7, day))
		listed := p.list()
		if len(listed) != 2 {
			t.Fatalf("%d sessions", len(listed))
		}
		active, waiting := listed[0], listed[1]
		if active.GetPci() != s.pci {
			active, waiting = waiting, active
		}
		allowance := active.GetAllowances()[0]
		if active.GetCallsMade() != 2 || allowance.GetSpent() != "350" || allowance.GetAllowed() != "1000" || active.GetState() != sessionsv1.SessionState_SESSION_STATE_ACTIVE ||
			active.GetProject().GetName() != "The shop" || active.GetProject().GetUrl() != origin || active.GetContext() != hexutil.Encode(s.context) || !active.GetCoSigned() {
			t.Errorf("the active session is %v", active)
		}
		if waiting.GetPci() != pending.pci || waiting.Context != nil || waiting.RevokedAt != nil || waiting.GetState() != sessionsv1.SessionState_SESSION_STATE_PENDING {
			t.Errorf("the session that waits is %v", waiting)
		}
		raw, err := json.Marshal(listed)
		if err != nil || bytes.Contains(raw, []byte("sealed")) {
			t.Errorf("%s, %v", raw, err)
		}
	})
}

var transfer = calldata.Parse("transfer(address,uint256)")

func (s *siteSession) signRequest(o *userop.Operation) *sessionsv1.SignUserOperationRequest {
	p := message.Operation(o)
	return &sessionsv1.SignUserOperationRequest{Account: s.id(), Pci: s.pci, UserOp: p}
}

// signOperation requests the co-signer's signature of an operation.
func (s *siteSession) signOperation(o *userop.Operation) error {
	_, err := s.w.SignUserOperation(as(s.w.t, s.project), s.signRequest(o))
	return err
}
