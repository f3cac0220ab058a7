package registry_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

func TestALabelThatIsBlockedIsNotRegistered(t *testing.T) {
	w := newWorld(t)
	alice := signaturetest.NewAccount(1)
	kept := w.register(t, "harbour.hawser.id", alice)
	for _, label := range []string{"harbour", "scam"} {
		if _, err := w.Block(t.Context(), label); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"scam.hawser.id", "5cam.hawser.id", "s-cam.hawser.id"} {
		_, err := w.Register(t.Context(), w.signed(alice, fields{"name": name, "attributes": fields{}}))
		wantError(t, err, registry.ErrReserved)
	}
	suggested, err := w.Suggest(t.Context(), "scam", "")
	if err != nil || suggested[0].Available || suggested[0].Taken {
		t.Errorf("%+v, %v", suggested, err)
	}
	// Its owner keeps a name that was registered before.
	if got, err := w.Find(t.Context(), "harbour.hawser.id"); err != nil || got.Owner != kept.Owner {
		t.Errorf("%+v, %v", got, err)
	}
	if err := w.Unblock(t.Context(), "scam"); err != nil {
		t.Fatal(err)
	}
	w.register(t, "scam.hawser.id", alice)

	_, err = w.Block(t.Context(), "not a label")
	wantError(t, err, registry.ErrFormat)
}

func TestANameThatIsTakenBackIsFree(t *testing.T) {
	w := newWorld(t)
	alice, bob := signaturetest.NewAccount(1), signaturetest.NewAccount(2)
	first := w.register(t, "harbour.hawser.id", alice)
	if taken, err := w.Take(t.Context(), "harbour.hawser.id", first.RegisteredAt); err != nil || taken.Owner != first.Owner {
		t.Fatalf("%+v, %v", taken, err)
	}
	if shown := w.shownAs(t, alice.Address()); len(shown) != 0 {
		t.Errorf("alice is shown as %q", shown)
	}
	w.register(t, "harbour.hawser.id", bob)
	// What the operator saw was another registration.
	_, err := w.Take(t.Context(), "harbour.hawser.id", first.RegisteredAt)
	wantError(t, err, registry.ErrUnregistered)
	_, err = w.Take(t.Context(), "harbour.eth", first.RegisteredAt)
	wantError(t, err, registry.ErrZone)
}
