package sessions

import (
	"testing"

	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// callOf returns a permission to call a function without arguments of a contract.
func callOf(t testing.TB, contract evm.Address) *sessionsv1.Permission {
	t.Helper()
	return permission(t, "contract-call", map[string]any{
		"address": contract, "abi": []any{map[string]any{"type": "function", "name": "f", "inputs": []any{}}}, "functions": []any{map[string]any{"functionName": "f"}},
	})
}

func TestASessionDoesNotCallTheAccountOrTheFramework(t *testing.T) {
	w := newWorld(t, openDB(t))
	p := w.newPerson()
	c, _ := w.server.chain.Contracts(local)
	targets := map[string]evm.Address{
		"the account": p.key.Address(), "the manager": c.Manager, "the factory": c.Factory, "the implementation": c.MultiSig, "the EntryPoint": userop.EntryPoint07,
		"the zero address": {},
	}
	for name, a := range c.Enforcers {
		targets[name] = a
	}
	create := func(permissions ...*sessionsv1.Permission) error {
		_, err := w.CreateSession(as(t, project), &sessionsv1.CreateSessionRequest{
			Account: p.id(), Expiry: uint32(w.clock.Now().Unix()) + 3600, Signer: keys(t, newKey(t)), Permissions: permissions,
		})
		return err
	}
	for name, a := range targets {
		if got := reasonOf(create(callOf(t, a))); got != faultv1.Reason_REASON_PERMISSION_UNSUPPORTED {
			t.Errorf("a call of %s: %s", name, got)
		}
		token := permission(t, "erc20-recurring-allowance", map[string]any{"token": a, "allowance": "0x1", "start": w.clock.Now().Unix(), "period": day})
		if err := create(token); err == nil {
			t.Errorf("%s is accepted as a token", name)
		}
	}
	if err := create(callOf(t, newKey(t).Address())); err != nil {
		t.Error(err)
	}
}

// A session that is stored with such a call must not be activated.
func TestAnActivationDoesNotAllowCallsOfTheAccount(t *testing.T) {
	db := openDB(t)
	w := newWorld(t, db)
	s := w.newPerson().create(project, nil, callOf(t, newKey(t).Address()))
	r := proto.Clone(s.request).(*sessionsv1.CreateSessionRequest)
	r.Permissions = []*sessionsv1.Permission{callOf(t, s.key.Address())}
	s.storeTerms(db, r)
	wantReason(t, s.activate(r, s.sign(r, s.key, nil)), faultv1.Reason_REASON_PERMISSION_UNSUPPORTED)
}

func TestADeniedAddressIsNotCalledOrPaid(t *testing.T) {
	w := newWorld(t, openDB(t))
	shop := newKey(t).Address()
	granted := w.newPerson().granted(project, nil, native(w, 1000, day))
	_, err := granted.prepare(pay(shop, 1))
	wantReason(t, err, faultv1.Reason_REASON_UNSPECIFIED)
	w.sessions.Denied = Config{DeniedTargets: []string{shop.Hex()}}.denied()
	_, err = granted.prepare(pay(shop, 1))
	wantReason(t, err, faultv1.Reason_REASON_PERMISSION_EXCEEDED)
	_, err = w.CreateSession(as(t, project), &sessionsv1.CreateSessionRequest{
		Account: w.newPerson().id(), Expiry: uint32(w.clock.Now().Unix()) + 3600, Signer: keys(t, newKey(t)), Permissions: []*sessionsv1.Permission{callOf(t, shop)},
	})
	wantReason(t, err, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED)
}
