package wallet_test

import (
	"bytes"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet/factor"
)

// Two sites, two devices and a passkey are added and removed in random order. The user is never locked out, and removed
// factors never work again.
func TestFactorsInAnyOrder(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	devices := []*visitor{w.visitor(), w.visitor(), w.visitor()}
	for _, v := range devices {
		v.logIn(alice)
	}
	live := map[string]*walletv1.NewFactor{}
	ofDevice := map[*visitor]string{}
	created := must(devices[0].createWallet())(t)
	live[created.GetFactors()[0].GetId()], ofDevice[devices[0]] = created.GetFactors()[0], created.GetFactors()[0].GetId()
	var removed []string
	for step := range 120 {
		v := devices[mathrand.IntN(len(devices))]
		switch mathrand.IntN(3) {
		case 0:
			kinds := []walletv1.FactorKind{walletv1.FactorKind_FACTOR_KIND_DEVICE, walletv1.FactorKind_FACTOR_KIND_PASSKEY, walletv1.FactorKind_FACTOR_KIND_PASSWORD}
			f := newFactor(kinds[mathrand.IntN(len(kinds))])
			if err := v.add(f); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			if f.GetKind() == walletv1.FactorKind_FACTOR_KIND_DEVICE {
				if was := ofDevice[v]; was != "" {
					delete(live, was)
					removed = append(removed, was)
				}
				ofDevice[v] = f.GetId()
			}
			live[f.GetId()] = f
		case 1:
			for id := range live {
				err := v.remove(id)
				if len(live) == 1 {
					refused(t, err, faultv1.Reason_REASON_FACTOR_LAST)
					break
				}
				if err != nil {
					t.Fatalf("step %d: %v", step, err)
				}
				delete(live, id)
				removed = append(removed, id)
				for d, own := range ofDevice {
					if own == id {
						delete(ofDevice, d)
					}
				}
				break
			}
		case 2:
			for id, f := range live {
				opened, err := v.openBy(id, f.GetCheck())
				if f.GetKind() == walletv1.FactorKind_FACTOR_KIND_DEVICE && ofDevice[v] != id {
					refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
				} else if err != nil || !bytes.Equal(opened.GetServerHalf(), f.GetServerHalf()) {
					t.Fatalf("step %d: %v", step, err)
				}
			}
			for _, id := range removed {
				_, err := v.open(id)
				refused(t, err, faultv1.Reason_REASON_FACTOR_ABSENT)
			}
		}
	}
}

func TestAWalletHasRoomForABoundedNumberOfFactors(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	created := must(v.createWallet())(t)
	for range factor.MaxFactors - len(created.GetFactors()) {
		if err := v.add(newFactor(walletv1.FactorKind_FACTOR_KIND_PASSKEY)); err != nil {
			t.Fatal(err)
		}
	}
	one := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSKEY)
	refused(t, v.add(one), faultv1.Reason_REASON_FACTORS_FULL)
	if err := v.remove(created.GetFactors()[0].GetId()); err != nil {
		t.Fatal(err)
	}
	if err := v.add(one); err != nil {
		t.Errorf("after one was removed: %v", err)
	}
}

// A login that was phished minutes ago is all that an attacker has.
func TestALoginAloneDoesNotChangeWhatOpensTheWallet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner := w.visitor()
		owner.logIn(alice)
		password := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
		created := must(owner.createWallet(password))(t)
		w.clock.Pass(time.Minute)
		attacker := w.visitor()
		attacker.logIn(alice)
		junk := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSKEY)
		for name, err := range map[string]error{
			"add a passkey":      attacker.addWith(junk, "", nil),
			"add a password":     attacker.addWith(newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD), "", nil),
			"add a device":       attacker.addWith(newFactor(walletv1.FactorKind_FACTOR_KIND_DEVICE), "", nil),
			"replace a password": attacker.addWith(newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD), password.GetId(), nil),
			"remove a factor":    attacker.removeWith(password.GetId(), nil),
			"delete the user":    attacker.delete(nil),
		} {
			t.Run(name, func(t *testing.T) { refused(t, err, faultv1.Reason_REASON_WALLET_LOCKED) })
		}
		for name, err := range map[string]error{
			"add another factor":                 attacker.addWith(junk, "", owner.sign("AddFactor", password.GetId())),
			"replace by a proof for an addition": attacker.addWith(junk, password.GetId(), owner.sign("AddFactor", junk.GetId())),
			"replace by a proof for a removal":   attacker.addWith(junk, password.GetId(), owner.sign("RemoveFactor", password.GetId())),
		} {
			t.Run(name, func(t *testing.T) { refused(t, err, faultv1.Reason_REASON_SIGNATURE_INVALID) })
		}
		if got := must(call[walletv1.ListFactorsResponse](owner, walletv1.WalletService_ListFactors_FullMethodName, &walletv1.ListFactorsRequest{}))(t).GetFactors(); len(got) != len(created.GetFactors()) {
			t.Errorf("factors %v", got)
		}
	})
}

func TestTheUserIsInformedOfNewAndReplacedFactors(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	must(v.createWallet())(t)
	if err := v.add(newFactor(walletv1.FactorKind_FACTOR_KIND_DEVICE)); err != nil {
		t.Fatal(err)
	}
	if got := v.changes(); len(got) != 0 {
		t.Errorf("changes after the factor of a device: %v", got)
	}
	password := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	if err := v.add(password); err != nil {
		t.Fatal(err)
	}
	if m := w.lastMail(alice); !strings.Contains(m.Text, "A way to open your wallet was added") {
		t.Errorf("the email is not informed of an addition: %q", m.Text)
	}
	w.clock.Pass(time.Minute)
	next := newFactor(walletv1.FactorKind_FACTOR_KIND_PASSWORD)
	if err := v.addWith(next, password.GetId(), v.sign("AddFactor", next.GetId()+" "+password.GetId())); err != nil {
		t.Fatal(err)
	}
	if m := w.lastMail(alice); !strings.Contains(m.Text, "A way to open your wallet was removed") {
		t.Errorf("the email is not informed of a replacement: %q", m.Text)
	}
	want := []walletv1.ChangeKind{walletv1.ChangeKind_CHANGE_KIND_FACTOR_ADDED, walletv1.ChangeKind_CHANGE_KIND_FACTOR_REMOVED}
	if got := v.changes(); !slices.Equal(got, want) {
		t.Errorf("changes %v; want %v", got, want)
	}
}

func TestOnlyAPasswordHasACheck(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	for _, kind := range []walletv1.FactorKind{walletv1.FactorKind_FACTOR_KIND_PASSKEY, walletv1.FactorKind_FACTOR_KIND_DEVICE} {
		for _, size := range []int{1, 31, 32} {
			f := newFactor(kind)
			f.Check = random(size)
			_, err := v.createWallet(f)
			refused(t, err, faultv1.Reason_REASON_PARAMETER_INVALID)
		}
	}
}
