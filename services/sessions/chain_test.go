package sessions

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/sessions/message"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
)

func TestASessionSpendsItsAllowance(t *testing.T) {
	for _, of := range []string{project, alone} {
		w := newWorld(t, openDB(t))
		shop := newKey(t).Address()
		s := w.newPerson().granted(of, nil, native(w, 1000, day))
		s.must(pay(shop, 600))
		s.must(pay(shop, 300), pay(shop, 100))
		if got := w.balance(shop); got != 1000 {
			t.Errorf("the shop has %d wei, not 1000", got)
		}
	}
}

// The sessions of these tests have no co-signer, so that only the chain can refuse.

func TestTheChainRefusesMoreThanTheAllowance(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(alone, nil, native(w, 1000, day))
	for range 5 {
		s.must(pay(shop, 200))
	}
	s.wantRefusedOnChain(pay(shop, 1))
	if got := w.balance(shop); got != 1000 {
		t.Errorf("the shop has %d wei, not 1000", got)
	}
}

func TestTheAllowanceIsRenewedEachPeriod(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(alone, func(r *sessionsv1.CreateSessionRequest) { r.Expiry += 3 * day }, native(w, 1000, day))
	s.must(pay(shop, 1000))
	s.wantRefusedOnChain(pay(shop, 1))
	w.sleep(day)
	s.must(pay(shop, 1000))
	s.wantRefusedOnChain(pay(shop, 1))
}

func TestTheChainRefusesAnotherKey(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(alone, nil, native(w, 1000, day))
	o := s.operation(newKey(t), pay(newKey(t).Address(), 1))
	if _, refusal := w.bundler.send(o); refusal != "AA24 signature error" {
		t.Errorf("an operation that another key signed: %q", refusal)
	}
	// An account other than the session's cannot use the delegation either.
	thief := w.newPerson()
	o.CallData = common.CopyBytes(o.CallData)
	c, _ := w.server.chain.Contracts(local)
	w.chain.Call(t, "anvil_impersonateAccount", thief.key.Address())
	tx := map[string]any{"from": thief.key.Address(), "to": c.Manager, "data": hexutil.Bytes(o.CallData)}
	if why := callError(t, w.chain, "eth_call", tx, "latest"); why == "" {
		t.Error("another account used the delegation")
	}
}

func TestTheChainRefusesAfterTheExpiry(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(alone, nil, native(w, 1000, day))
	s.must(pay(shop, 1))
	late := s.operation(s.site, pay(shop, 1))
	w.sleep(3600)
	_, err := s.prepare(pay(shop, 1))
	wantReason(t, err, faultv1.Reason_REASON_SESSION_EXPIRED)
	s.wantReverted(late)
	if got := s.list()[0].GetState(); got != sessionsv1.SessionState_SESSION_STATE_EXPIRED {
		t.Errorf("the state is %s", got)
	}
}

func TestTheChainRefusesAfterTheDelegationIsDisabled(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(alone, nil, native(w, 1000, day))
	s.must(pay(shop, 1))
	s.disable()
	s.wantRefusedOnChain(pay(shop, 1))
	listed := s.list()[0]
	if listed.GetState() != sessionsv1.SessionState_SESSION_STATE_REVOKED || listed.RevokedAt == nil {
		t.Errorf("the state is %s", listed.GetState())
	}
	_, err := s.prepare(pay(shop, 1))
	wantReason(t, err, faultv1.Reason_REASON_SESSION_REVOKED)
}

func TestOneTransactionEndsAllSessions(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	p := w.newPerson()
	one, two := p.granted(alone, nil, native(w, 1000, day)), p.granted(alone, nil, native(w, 1000, day))
	c, _ := w.server.chain.Contracts(local)
	p.execute(c.Enforcers[delegation.Nonce], calldata.Parse("incrementNonce(address)").Write(c.Manager))
	one.wantRefusedOnChain(pay(shop, 1))
	two.wantRefusedOnChain(pay(shop, 1))
	for _, listed := range p.list() {
		if listed.GetState() != sessionsv1.SessionState_SESSION_STATE_REVOKED {
			t.Errorf("the state is %s", listed.GetState())
		}
	}
	// A session that is granted afterwards works.
	p.granted(alone, nil, native(w, 1000, day)).must(pay(shop, 1))
}

func TestTheLimitsHoldWithoutTheDatabase(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	s := w.newPerson().granted(alone, nil, native(w, 1000, day))
	within, over := s.operation(s.site, pay(shop, 900)), s.operation(s.site, pay(shop, 101))
	empty := newWorld(t, openDB(t))
	if got := (person{empty, s.key}).list(); len(got) != 0 {
		t.Fatalf("%d sessions are left", len(got))
	}
	if _, refusal := empty.bundler.send(within); refusal != "" {
		t.Fatal(refusal)
	}
	over.Nonce, over.Factory, over.FactoryData = userop.NewQuantity(1), nil, nil
	s.signBy(s.site, over)
	s.wantReverted(over)
	if got := w.balance(shop); got != 900 {
		t.Errorf("the shop has %d wei, not 900", got)
	}
}

func TestTheSiteCannotActWithoutTheCoSigner(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	o := s.operation(s.site, pay(newKey(t).Address(), 1))
	for _, signature := range [][]byte{o.Signature, append(common.CopyBytes(o.Signature), o.Signature...)} {
		o.Signature = signature
		if _, refusal := w.bundler.send(o); refusal != "AA24 signature error" {
			t.Errorf("a signature of %d bytes: %q", len(signature), refusal)
		}
	}
}

// operation returns an operation of the session that is signed with a key, without using the service.
func (s *siteSession) operation(key account.Key, calls ...*sessionsv1.SessionCall) *userop.Operation {
	s.w.t.Helper()
	prepared, err := s.prepare(calls...)
	if err != nil {
		s.w.t.Fatal(err)
	}
	o, err := message.ParseOperation(prepared.GetUserOperation())
	if err != nil {
		s.w.t.Fatal(err)
	}
	s.signBy(key, o)
	return o
}

func (s *siteSession) signBy(key account.Key, o *userop.Operation) {
	o.Signature = delegation.Signature(key.Sign(delegation.SigningHash(o, onchain.Number(local))))
}

// wantReverted fails the test unless the EntryPoint accepts the operation and the chain refuses its calls.
func (s *siteSession) wantReverted(o *userop.Operation) {
	s.w.t.Helper()
	hash, refusal := s.w.bundler.send(o)
	if refusal != "" {
		s.w.t.Fatal(refusal)
	}
	receipt, err := s.w.sender.Receipt(as(s.w.t, s.project), local, hash.(common.Hash))
	if err != nil || receipt == nil || receipt.Success {
		s.w.t.Fatalf("the chain did not refuse: %+v, %v", receipt, err)
	}
}

// wantRefusedOnChain fails the test unless the service accepts the calls and the chain refuses them.
func (s *siteSession) wantRefusedOnChain(calls ...*sessionsv1.SessionCall) {
	s.w.t.Helper()
	if ok, err := s.call(calls...); err != nil || ok {
		s.w.t.Fatalf("the chain did not refuse: success %t, %v", ok, err)
	}
}

var disableDelegation = calldata.Parse("disableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))")

// disable disables the delegation of the session on chain.
func (s *siteSession) disable() {
	s.w.t.Helper()
	d, err := delegation.Parse(s.context)
	if err != nil {
		s.w.t.Fatal(err)
	}
	var caveats []any
	for _, c := range d.Caveats {
		caveats = append(caveats, []any{c.Enforcer, c.Terms, c.Args})
	}
	c, _ := s.w.server.chain.Contracts(local)
	s.execute(c.Manager, disableDelegation.Write([]any{d.Delegate, d.Delegator, [32]byte(common.MaxHash), caveats, d.Salt, d.Signature}))
}

func addressWord(a evm.Address) string { return common.BytesToHash(a[:]).Hex() }
