package sessions

import (
	"math/big"
	"strings"
	"testing"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/proof"
)

// A third party can create any number of sessions of an account.
func TestPendingSessionsDoNotHideOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		p := w.newPerson()
		active := p.granted(project, nil, native(w, 1000, day))
		other := p.create(alone, nil, native(w, 1000, day))
		var last string
		for range 105 {
			w.clock.Pass(1 * time.Second)
			last = p.create(project, nil, native(w, 1000, day)).pci
		}
		var all []string
		r := &sessionsv1.ListSessionsRequest{Account: p.id(), PageSize: 40}
		for {
			r.Proof = p.prove(proof.Statement{Kind: proof.List}, p.key)
			res, err := w.ListSessions(as(t, project), r)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range res.GetPcis() {
				all = append(all, n.GetPci())
			}
			if res.Next == nil {
				break
			}
			r.PageToken = res.GetNext()
		}
		if len(all) != 102 || all[0] != active.pci || all[1] != last || all[101] != other.pci {
			t.Errorf("%d sessions: %v", len(all), all)
		}
	})
}

func TestTermsHaveAMaximumSize(t *testing.T) {
	w := newWorld(t, openDB(t))
	large := native(w, 1000, day)
	data := large.GetData().GetStructValue().AsMap()
	data["justification"] = strings.Repeat("x", 33<<10)
	_, err := w.CreateSession(as(t, project), &sessionsv1.CreateSessionRequest{
		Account: w.newPerson().id(), Expiry: uint32(w.clock.Now().Unix()) + 3600, Signer: keys(t, newKey(t)),
		Permissions: []*sessionsv1.Permission{permission(t, large.GetType(), data)},
	})
	wantReason(t, err, faultv1.Reason_REASON_PARAMETER_INVALID)
}

// The site may have a delegation that the service does not have.
func TestAPendingSessionWithoutCoSignerIsRevokedByTheNonce(t *testing.T) {
	w := newWorld(t, openDB(t))
	p := w.newPerson()
	state := func(pci string) sessionsv1.SessionState {
		for _, n := range p.list() {
			if n.GetPci() == pci {
				return n.GetState()
			}
		}
		return sessionsv1.SessionState_SESSION_STATE_UNSPECIFIED
	}
	revoke := func(pci string) sessionsv1.SessionState {
		res, err := w.RevokeSession(as(t, project), &sessionsv1.RevokeSessionRequest{
			Account: p.id(), Pci: pci, Proof: p.prove(proof.Statement{Kind: proof.Revoke, PCI: pci}, p.key),
		})
		if err != nil {
			t.Fatal(err)
		}
		return res.GetState()
	}
	const revoking, revoked = sessionsv1.SessionState_SESSION_STATE_REVOKING, sessionsv1.SessionState_SESSION_STATE_REVOKED
	coSigned, free, expires := p.create(project, nil, native(w, 1, day)).pci, p.create(alone, nil, native(w, 1, day)).pci, p.create(alone, nil, native(w, 1, day)).pci
	if got := revoke(coSigned); got != revoked || state(coSigned) != revoked {
		t.Errorf("with a co-signer: %s, %s", got, state(coSigned))
	}
	if got := revoke(free); got != revoking || state(free) != revoking {
		t.Errorf("without one: %s, %s", got, state(free))
	}
	c, _ := w.server.chain.Contracts(local)
	p.execute(c.Enforcers[delegation.Nonce], calldata.Parse("incrementNonce(address)").Write(c.Manager))
	if got := state(free); got != revoked {
		t.Errorf("after the nonce: %s", got)
	}
	if got := revoke(expires); got != revoking {
		t.Errorf("after the nonce: %s", got)
	}
	w.clock.Pass(2 * time.Hour)
	if got := state(expires); got != revoked {
		t.Errorf("after its end: %s", got)
	}
}

// A node that is behind must not make a session revoked.
func TestANodeThatIsBehindEndsNoSession(t *testing.T) {
	w := newWorld(t, openDB(t))
	s := w.newPerson().granted(project, nil, native(w, 1000, day))
	n, err := w.records.Find(t.Context(), s.pci)
	if err != nil {
		t.Fatal(err)
	}
	// The nonce of the caveat is ahead of the node's.
	g, err := n.Grant()
	if err != nil {
		t.Fatal(err)
	}
	states, err := w.server.chain.States(t.Context(), local, []onchain.Query{{Delegator: n.Account, Nonce: big.NewInt(5), Grant: g}})
	if err != nil || states[0].Ended {
		t.Errorf("%+v, %v", states, err)
	}
}
