package registry_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

const installation = "https://wallet.example.org"

// says returns a sentence that an account signed, on Ethereum.
func (w *world) says(by signaturetest.Account, where, what string, lines ...string) registry.Envelope {
	now := w.clock.Now().Truncate(time.Second)
	text := fmt.Sprintf("Hawser names at %s: %s\n\nAccount: %s on eip155:1\n", where, what, strings.ToLower(by.Address().String()))
	for _, line := range lines {
		text += line + "\n"
	}
	text += fmt.Sprintf("Issued: %s\nExpires: %s\nCode: %032x", now.Format(time.RFC3339), now.Add(time.Minute).Format(time.RFC3339), now.UnixNano())
	return registry.Envelope{Message: text, Signature: by.Sign(text), CoinType: ether, Address: by.Address().String()}
}

func sentences(bareJSON bool) func(*names.Config) {
	return func(c *names.Config) { c.Installation, c.BareJSON = installation, bareJSON }
}

func TestStatementIsBoundToInstallationAndContent(t *testing.T) {
	w := newWorld(t, sentences(false))
	alice, bob := signaturetest.NewAccount(1), signaturetest.NewAccount(2)
	registration := w.says(alice, installation, "register alice.hawser.id")

	other := w.says(alice, "https://evil.example", "register alice.hawser.id")
	_, err := w.Register(t.Context(), other)
	wantError(t, err, registry.ErrOtherInstallation)
	stolen := registration
	stolen.Address = bob.Address().String()
	_, err = w.Register(t.Context(), stolen)
	wantError(t, err, registry.ErrMessage)
	moved := registration
	moved.CoinType = 0x80000000 | 31337
	_, err = w.Register(t.Context(), moved)
	wantError(t, err, registry.ErrMessage)
	_, err = w.Register(t.Context(), w.signed(alice, fields{"name": "alice.hawser.id", "attributes": fields{}}))
	wantError(t, err, registry.ErrMessage)

	if _, err := w.Register(t.Context(), registration); err != nil {
		t.Fatal(err)
	}
	_, err = w.SetAttributes(t.Context(), "alice.hawser.id", registration)
	wantError(t, err, registry.ErrMessage)
	w.clock.Pass(time.Second)
	record, err := w.SetAttributes(t.Context(), "alice.hawser.id", w.says(alice, installation, "set the records of alice.hawser.id", "Record bio: Rows a boat"))
	if err != nil || record.Attributes["bio"] != "Rows a boat" {
		t.Errorf("%v, %v", record, err)
	}
	w.clock.Pass(time.Second)
	set, err := w.SetAddress(t.Context(), "alice.hawser.id", w.says(alice, installation, "set an address of alice.hawser.id",
		"Address: "+strings.ToLower(bob.Address().String())+" on eip155:31337"))
	if err != nil || set.Address != bob.Address() || set.CoinType != 0x80000000|31337 {
		t.Errorf("%v, %v", set, err)
	}
	w.clock.Pass(time.Second)
	late := w.says(alice, installation, "release alice.hawser.id")
	w.clock.Pass(2 * time.Minute)
	if err := w.Release(t.Context(), "alice.hawser.id", late); err == nil || !strings.Contains(err.Error(), "too far from now") {
		t.Errorf("a sentence that has expired: %v", err)
	}
	if _, err := w.Transfer(t.Context(), "alice.hawser.id", w.says(alice, installation, "transfer alice.hawser.id",
		"New owner: "+strings.ToLower(bob.Address().String())+" on eip155:1")); err != nil {
		t.Error(err)
	}
	w.clock.Pass(time.Second)
	if err := w.Release(t.Context(), "alice.hawser.id", w.says(bob, installation, "release alice.hawser.id")); err != nil {
		t.Error(err)
	}
}

func TestJSONMessagesHaveOnlyTheFieldsOfTheirAction(t *testing.T) {
	w := newWorld(t, sentences(true))
	alice := signaturetest.NewAccount(1)
	for behaviour, f := range map[string]fields{
		"an unknown member":   {"name": "alice.hawser.id", "attributes": fields{}, "note": "x"},
		"of another action":   {"name": "alice.hawser.id", "coin_type": 60, "address": alice.Address().String()},
		"without a name":      {"attributes": fields{}},
		"of a name to be had": {"release": "alice.hawser.id", "name": "alice.hawser.id"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			_, err := w.Register(t.Context(), w.signed(alice, f))
			wantError(t, err, registry.ErrMessage)
		})
	}
	w.register(t, "alice.hawser.id", alice)
}
