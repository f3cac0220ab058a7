package sessions

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/platform/caller"
	sessionproof "github.com/hawser-dev/hawser/services/sessions/proof"
)

func TestActivationRefusesWhatIsWider(t *testing.T) {
	w := newWorld(t, openDB(t))
	lowered := func(s *siteSession) *sessionsv1.CreateSessionRequest {
		r := proto.Clone(s.request).(*sessionsv1.CreateSessionRequest)
		r.Permissions = []*sessionsv1.Permission{s.allowance("0x64")}
		return r
	}
	for name, c := range map[string]struct {
		// granted are the terms that the site sends, and signed the terms of the delegation; if nil, those of the
		// request.
		granted, signed func(*siteSession) *sessionsv1.CreateSessionRequest
		change          func(*delegation.Delegation)
		want            faultv1.Reason
	}{
		"what was requested":          {},
		"a lower allowance":           {granted: lowered, signed: lowered},
		"a higher allowance":          {granted: raised("0x3e9"), signed: raised("0x3e9"), want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"a later end":                 {granted: later, signed: later, want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"terms that were not granted": {signed: lowered, want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"a delegation that is wider":  {granted: lowered, want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"a caveat that is missing":    {change: func(d *delegation.Delegation) { d.Caveats = d.Caveats[1:] }, want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"no caveats":                  {change: func(d *delegation.Delegation) { d.Caveats = nil }, want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"another delegate":            {change: func(d *delegation.Delegation) { d.Delegate[0]++ }, want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"another delegator":           {change: func(d *delegation.Delegation) { d.Delegator[0]++ }, want: faultv1.Reason_REASON_CONTEXT_INVALID},
		"arguments in a caveat":       {change: func(d *delegation.Delegation) { d.Caveats[0].Args = []byte{1} }, want: faultv1.Reason_REASON_CONTEXT_INVALID},
	} {
		t.Run(name, func(t *testing.T) {
			s := w.newPerson().create(project, nil, native(w, 1000, day))
			granted, signed := s.request, s.request
			if c.granted != nil {
				granted = c.granted(s)
			}
			if c.signed != nil {
				signed = c.signed(s)
			}
			err := s.activate(granted, s.sign(signed, s.key, c.change))
			if reasonOf(err) != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func raised(amount string) func(*siteSession) *sessionsv1.CreateSessionRequest {
	return func(s *siteSession) *sessionsv1.CreateSessionRequest {
		r := proto.Clone(s.request).(*sessionsv1.CreateSessionRequest)
		r.Permissions = []*sessionsv1.Permission{s.allowance(amount)}
		return r
	}
}

func later(s *siteSession) *sessionsv1.CreateSessionRequest {
	r := proto.Clone(s.request).(*sessionsv1.CreateSessionRequest)
	r.Expiry += 60
	return r
}

// allowance returns the permission of the session with another amount.
func (s *siteSession) allowance(amount string) *sessionsv1.Permission {
	data := s.request.GetPermissions()[0].GetData().GetStructValue().AsMap()
	data["allowance"] = amount
	return permission(s.w.t, "native-token-recurring-allowance", data)
}

func TestActivationNeedsTheAccountsSignature(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().create(project, nil, native(w, 1000, day))
	wantReason(t, s.activate(s.request, s.sign(s.request, newKey(t), nil)), faultv1.Reason_REASON_SIGNATURE_INVALID)
	for _, text := range [][]byte{nil, {0}, bytes.Repeat([]byte{0xff}, 64)} {
		wantReason(t, s.activate(s.request, text), faultv1.Reason_REASON_CONTEXT_INVALID)
	}
}

func TestASessionIsActivatedOnce(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	if err := s.activate(s.request, s.context); err != nil {
		t.Errorf("the same again: %v", err)
	}
	other := s.sign(s.request, s.key, func(d *delegation.Delegation) { d.Salt.SetInt64(8) })
	wantReason(t, s.activate(s.request, other), faultv1.Reason_REASON_SESSION_ACTIVE)
	got, err := w.GetContext(as(t, project), &sessionsv1.GetContextRequest{Account: s.id(), Pci: s.pci})
	if err != nil || got.GetContext() != hexutil.Encode(s.context) {
		t.Errorf("the context is %s: %v", got.GetContext(), err)
	}
}

func TestASessionIsOfItsProject(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	o := s.operation(s.site, pay(newKey(t).Address(), 1))
	s.project = alone
	_, err := s.prepare(pay(newKey(t).Address(), 1))
	wantReason(t, err, faultv1.Reason_REASON_SESSION_UNKNOWN)
	wantReason(t, s.signOperation(o), faultv1.Reason_REASON_SESSION_UNKNOWN)
	wantReason(t, s.activate(s.request, s.context), faultv1.Reason_REASON_SESSION_UNKNOWN)
}

func TestASessionIsNotUsedBeforeItsActivation(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().create(project, nil, native(w, 1000, day))
	_, err := s.prepare(pay(newKey(t).Address(), 1))
	wantReason(t, err, faultv1.Reason_REASON_SESSION_INACTIVE)
}

func TestWhatIsNotSupportedIsRefused(t *testing.T) {
	w := newWorld(t, openDB(t))
	p := w.newPerson()
	for name, c := range map[string]struct {
		change      func(*sessionsv1.CreateSessionRequest)
		permissions []*sessionsv1.Permission
		want        faultv1.Reason
	}{
		"an end in the past":          {func(r *sessionsv1.CreateSessionRequest) { r.Expiry = 1 }, nil, faultv1.Reason_REASON_PARAMETER_INVALID},
		"an end in more than a month": {func(r *sessionsv1.CreateSessionRequest) { r.Expiry += 31 * day }, nil, faultv1.Reason_REASON_PARAMETER_INVALID},
		"no permissions":              {func(r *sessionsv1.CreateSessionRequest) { r.Permissions = nil }, nil, faultv1.Reason_REASON_PARAMETER_INVALID},
		"a permission without data":   {nil, []*sessionsv1.Permission{{Type: "contract-call"}}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"a signer without data":       {func(r *sessionsv1.CreateSessionRequest) { r.Signer.Data = nil }, nil, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED},
		"another permission":          {nil, []*sessionsv1.Permission{permission(t, "sudo", nil)}, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED},
		"two allowances":              {nil, []*sessionsv1.Permission{native(w, 1, day), native(w, 2, day)}, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED},
		"a time in milliseconds": {nil, []*sessionsv1.Permission{permission(t, "native-token-recurring-allowance", map[string]any{
			"allowance": "0x1", "start": 1_800_000_000_000, "period": day,
		})}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"a delegate call": {nil, []*sessionsv1.Permission{permission(t, "contract-call", map[string]any{
			"address": p.key.Address(), "abi": []any{map[string]any{"type": "function", "name": "f", "inputs": []any{}}},
			"functions": []any{map[string]any{"functionName": "f", "operation": "DelegateCall"}},
		})}, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED},
		"another curve": {func(r *sessionsv1.CreateSessionRequest) {
			v := permission(t, "keys", map[string]any{"keys": []any{map[string]any{"type": "secp256r1", "publicKey": "0x00"}}})
			r.Signer.Data = v.GetData()
		}, nil, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED},
		"two keys": {func(r *sessionsv1.CreateSessionRequest) { r.Signer = keys(t, newKey(t), newKey(t)) }, nil, faultv1.Reason_REASON_PERMISSION_UNSUPPORTED},
	} {
		t.Run(name, func(t *testing.T) {
			permissions := c.permissions
			if permissions == nil {
				permissions = []*sessionsv1.Permission{native(w, 1000, day)}
			}
			r := &sessionsv1.CreateSessionRequest{
				Account: p.id(), Expiry: uint32(w.clock.Now().Unix()) + 3600, Signer: keys(t, newKey(t)), Permissions: permissions,
			}
			if c.change != nil {
				c.change(r)
			}
			_, err := w.CreateSession(as(t, project), r)
			wantReason(t, err, c.want)
		})
	}
}

func TestOnlyTheAccountListsAndRevokes(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	thief := w.newPerson()
	revoke := func(p *sessionsv1.AccountProof) error {
		_, err := w.RevokeSession(as(t, project), &sessionsv1.RevokeSessionRequest{Account: s.id(), Pci: s.pci, Proof: p})
		return err
	}
	of := sessionproof.Statement{Kind: sessionproof.Revoke, PCI: s.pci}
	wantReason(t, revoke(nil), faultv1.Reason_REASON_SIGNATURE_INVALID)
	wantReason(t, revoke(s.prove(of, thief.key)), faultv1.Reason_REASON_SIGNATURE_INVALID)
	wantReason(t, revoke(s.prove(sessionproof.Statement{Kind: sessionproof.List}, s.key)), faultv1.Reason_REASON_SIGNATURE_INVALID)
	other := of
	other.PCI = "00000000-0000-4000-8000-000000000000"
	wantReason(t, revoke(s.prove(other, s.key)), faultv1.Reason_REASON_SIGNATURE_INVALID)
	// A session of another account, with the caller's own proof.
	_, err := w.RevokeSession(as(t, project), &sessionsv1.RevokeSessionRequest{Account: thief.id(), Pci: s.pci, Proof: thief.prove(of, thief.key)})
	wantReason(t, err, faultv1.Reason_REASON_SESSION_UNKNOWN)
	late := s.prove(of, s.key)
	w.clock.Pass(301 * time.Second)
	wantReason(t, revoke(late), faultv1.Reason_REASON_SIGNATURE_INVALID)
	far := s.prove(of, s.key)
	far.Deadline += 400
	wantReason(t, revoke(far), faultv1.Reason_REASON_SIGNATURE_INVALID)

	wantReason(t, revoke(s.proveAt("https://gateway.example.net", of, s.key)), faultv1.Reason_REASON_SIGNATURE_INVALID)
	if _, err := w.ListSessions(as(t, project), &sessionsv1.ListSessionsRequest{
		Account: s.id(), Proof: s.proveAt("https://wallet.example.org", sessionproof.Statement{Kind: sessionproof.List}, s.key),
	}); err != nil {
		t.Errorf("a proof of the wallet's pages: %v", err)
	}
	good := s.prove(of, s.key)
	if err := revoke(good); err != nil {
		t.Fatal(err)
	}
	wantReason(t, revoke(good), faultv1.Reason_REASON_SIGNATURE_USED)
	wantReason(t, revoke(s.prove(of, s.key)), faultv1.Reason_REASON_SESSION_REVOKED)
	_, err = w.ListSessions(as(t, project), &sessionsv1.ListSessionsRequest{Account: s.id()})
	wantReason(t, err, faultv1.Reason_REASON_SIGNATURE_INVALID)
}

func TestTheEmbeddedWalletListsAndRevokes(t *testing.T) {
	w := newWorld(t, openDB(t))
	p := w.newPerson()
	for range 3 {
		p.granted(project, nil, native(w, 1000, day))
	}
	as := func(proof string) context.Context {
		return caller.NewIncomingContext(t.Context(), caller.Caller{Project: project, Device: caller.Device{Proof: proof}})
	}
	w.owner = p.key.Address()
	_, err := w.ListSessions(as("forged"), &sessionsv1.ListSessionsRequest{Account: p.id()})
	wantReason(t, err, faultv1.Reason_REASON_DEVICE_PROOF_INVALID)
	_, err = w.ListSessions(as("proof"), &sessionsv1.ListSessionsRequest{Account: w.newPerson().id()})
	wantReason(t, err, faultv1.Reason_REASON_SESSION_UNKNOWN)

	first, err := w.ListSessions(as("proof"), &sessionsv1.ListSessionsRequest{Account: p.id(), PageSize: 2})
	if err != nil || len(first.GetPcis()) != 2 || first.Next == nil {
		t.Fatalf("%v, %v", first, err)
	}
	second, err := w.ListSessions(as("proof"), &sessionsv1.ListSessionsRequest{Account: p.id(), PageSize: 2, PageToken: first.GetNext()})
	if err != nil || len(second.GetPcis()) != 1 || second.Next != nil {
		t.Fatalf("%v, %v", second, err)
	}
	all, err := w.RevokeAllSessions(as("proof"), &sessionsv1.RevokeAllSessionsRequest{Account: p.id()})
	if err != nil || all.GetRevoked() != 3 {
		t.Errorf("%v, %v", all, err)
	}
}

// The caveats of both grants are the same. A site that requests a rule cannot activate the session without it, or with
// another one.
func TestTheSaltBindsRulesThatNoContractHas(t *testing.T) {
	w := newWorld(t, openDB(t))
	contract := newKey(t).Address()
	rule := func(operator, value string) *sessionsv1.Permission {
		f := map[string]any{"functionName": "f"}
		if operator != "" {
			f["args"] = []any{map[string]any{"operator": operator, "value": value}}
		}
		abi := []any{map[string]any{"type": "function", "name": "f", "inputs": []any{map[string]any{"type": "uint256"}}}}
		return permission(t, "contract-call", map[string]any{"address": contract, "abi": abi, "functions": []any{f}})
	}
	for name, c := range map[string]struct{ signed, activated *sessionsv1.Permission }{
		"without the rule":       {rule("LESS_THAN", "0x64"), rule("", "")},
		"with another value":     {rule("LESS_THAN", "0x64"), rule("LESS_THAN", "0xffff")},
		"with another operator":  {rule("LESS_THAN", "0x64"), rule("GREATER_THAN", "0x64")},
		"with a rule not signed": {rule("", ""), rule("LESS_THAN", "0x64")},
	} {
		t.Run(name, func(t *testing.T) {
			s := w.newPerson().create(project, nil, c.activated)
			signed := proto.Clone(s.request).(*sessionsv1.CreateSessionRequest)
			signed.Permissions = []*sessionsv1.Permission{c.signed}
			wantReason(t, s.activate(s.request, s.sign(signed, s.key, nil)), faultv1.Reason_REASON_CONTEXT_INVALID)
			if err := s.activate(s.request, s.sign(s.request, s.key, nil)); err != nil {
				t.Errorf("with what was signed: %v", err)
			}
		})
	}
}

func TestAnAllowanceDoesNotStartLongAgo(t *testing.T) {
	w := newWorld(t, openDB(t))
	p := w.newPerson()
	start := func(ago int64) error {
		data := map[string]any{"allowance": "0x1", "start": w.clock.Now().Unix() - ago, "period": day}
		_, err := w.CreateSession(as(t, project), &sessionsv1.CreateSessionRequest{
			Account: p.id(), Expiry: uint32(w.clock.Now().Unix()) + 3600, Signer: keys(t, newKey(t)),
			Permissions: []*sessionsv1.Permission{permission(t, "native-token-recurring-allowance", data)},
		})
		return err
	}
	wantReason(t, start(day-60), faultv1.Reason_REASON_PARAMETER_INVALID)
	if err := start(60); err != nil {
		t.Error(err)
	}
}
