package wallet_test

import (
	"bytes"
	mathrand "math/rand/v2"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
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
