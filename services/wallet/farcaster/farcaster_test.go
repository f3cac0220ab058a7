package farcaster_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/proto/siwe"
	people "github.com/hawser-dev/hawser/services/development/farcaster"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
)

var (
	owner = signaturetest.NewAccount(1)
	now   = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	want  = farcaster.Expected{Chain: farcaster.Chain, Domain: "wallet.example.org", URI: "https://wallet.example.org", Nonce: "0123456789abcdef", Now: now}
)

// registry is a registry with one id.
type registry struct {
	fid  uint64
	away bool
}

func (r registry) Owns(_ context.Context, fid uint64, account evm.Address) (bool, error) {
	if r.away {
		return false, errors.New("no node answers")
	}
	return fid == r.fid && account == owner.Address(), nil
}

// contracts is a verifier for a chain that does not answer.
var contracts = signature.NewVerifier(func(string) chainclient.Transport {
	return func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no node answers") }
})

func message() siwe.Message {
	return siwe.Message{
		Domain: want.Domain, Namespace: siwe.EIP155, Address: owner.Address().String(), Statement: "Farcaster Auth", URI: want.URI, Version: "1", ChainID: "10",
		Nonce: want.Nonce, IssuedAt: now.Format(time.RFC3339), Resources: []string{"farcaster://fid/1001"},
	}
}

func TestVerifyReturnsTheOwnerOfTheID(t *testing.T) {
	m := message()
	for name, shown := range map[string]string{"alice": "alice", "alice.eth": "alice.eth", "<b>Alice</b>": "1001", "": "1001"} {
		c := farcaster.Completed{Message: m.String(), Signature: owner.Sign(m.String()), UserName: name}
		got, err := farcaster.Verify(t.Context(), c, want, contracts, registry{fid: 1001})
		if err != nil || got != (farcaster.Account{FID: 1001, Name: shown}) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestVerifyRefusesMessagesOfOthers(t *testing.T) {
	for name, change := range map[string]func(m *siwe.Message){
		"another domain":    func(m *siwe.Message) { m.Domain = "evil.example" },
		"another URI":       func(m *siwe.Message) { m.URI = "https://evil.example" },
		"another chain":     func(m *siwe.Message) { m.ChainID = "1" },
		"another nonce":     func(m *siwe.Message) { m.Nonce = "fedcba9876543210" },
		"another statement": func(m *siwe.Message) { m.Statement = "Pay me" },
		"no resource":       func(m *siwe.Message) { m.Resources = nil },
		"two resources":     func(m *siwe.Message) { m.Resources = append(m.Resources, "farcaster://fid/2") },
		"another id":        func(m *siwe.Message) { m.Resources = []string{"farcaster://fid/1002"} },
		"an id with a zero": func(m *siwe.Message) { m.Resources = []string{"farcaster://fid/01001"} },
		"an old message":    func(m *siwe.Message) { m.IssuedAt = now.Add(-2 * time.Hour).Format(time.RFC3339) },
		"a future message":  func(m *siwe.Message) { m.IssuedAt = now.Add(2 * time.Minute).Format(time.RFC3339) },
		"an expired one":    func(m *siwe.Message) { m.ExpirationTime = now.Format(time.RFC3339) },
	} {
		t.Run(name, func(t *testing.T) {
			m := message()
			change(&m)
			c := farcaster.Completed{Message: m.String(), Signature: owner.Sign(m.String())}
			if _, err := farcaster.Verify(t.Context(), c, want, contracts, registry{fid: 1001}); !errors.Is(err, farcaster.ErrRefused) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestVerifyRefusesOtherSignersAndWaitsForTheChain(t *testing.T) {
	m, unknownAccount := message(), signaturetest.NewAccount(2)
	c := farcaster.Completed{Message: m.String(), Signature: unknownAccount.Sign(m.String())}
	if _, err := farcaster.Verify(t.Context(), c, want, contracts, registry{fid: 1001}); !errors.Is(err, farcaster.ErrUnavailable) {
		t.Errorf("a signature that may be a contract's: %v", err)
	}
	m.Address = unknownAccount.Address().String()
	c = farcaster.Completed{Message: m.String(), Signature: unknownAccount.Sign(m.String())}
	if _, err := farcaster.Verify(t.Context(), c, want, contracts, registry{fid: 1001}); !errors.Is(err, farcaster.ErrRefused) {
		t.Errorf("somebody who does not own the id: %v", err)
	}
	own := message()
	c = farcaster.Completed{Message: own.String(), Signature: owner.Sign(own.String())}
	if _, err := farcaster.Verify(t.Context(), c, want, contracts, registry{away: true}); !errors.Is(err, farcaster.ErrUnavailable) {
		t.Errorf("a registry that does not answer: %v", err)
	}
}

// TestTheLocalChainsAreRegistriesOfTheTestUsers reads contracts at the addresses of those on OP Mainnet.
func TestTheLocalChainsAreRegistriesOfTheTestUsers(t *testing.T) {
	for _, chain := range devnettest.Start(t).Chains {
		app, err := people.New("http://localhost", chain.CAIP2, clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		r := farcaster.NewChainRegistry(chain.Forward)
		for _, p := range app.People() {
			for fid, want := range map[uint64]bool{p.FID: true, p.FID + 1: false} {
				if got, err := r.Owns(t.Context(), fid, p.Address()); err != nil || got != want {
					t.Errorf("%s, %d on %s: %v, %v", p.Name, fid, chain.CAIP2, got, err)
				}
			}
		}
	}
}

// TestTheRegistryIsReadFromItsContracts uses the answers of the contracts on OP Mainnet.
func TestTheRegistryIsReadFromItsContracts(t *testing.T) {
	word := func(n int) string { return fmt.Sprintf("%064x", n) }
	for name, tt := range map[string]struct {
		id, key string
		want    bool
	}{
		"custody address":        {"0x" + word(1001), "0x" + word(0) + word(0), true},
		"auth address":           {"0x" + word(0), "0x" + word(1) + word(2), true},
		"another id":             {"0x" + word(7), "0x" + word(0) + word(0), false},
		"removed auth address":   {"0x" + word(0), "0x" + word(2) + word(2), false},
		"signer of another type": {"0x" + word(0), "0x" + word(1) + word(1), false},
	} {
		t.Run(name, func(t *testing.T) {
			r := farcaster.NewChainRegistry(func(_ context.Context, body []byte) ([]byte, error) {
				var calls []struct {
					ID     json.RawMessage
					Params []json.RawMessage
				}
				if err := json.Unmarshal(body, &calls); err != nil {
					return nil, err
				}
				var answers []string
				for _, c := range calls {
					result := tt.id
					if strings.Contains(strings.ToLower(string(c.Params[0])), "0x00000000fc1237824fb747abde0ff18990e59b7e") {
						result = tt.key
					}
					answers = append(answers, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%q}`, c.ID, result))
				}
				return []byte("[" + strings.Join(answers, ",") + "]"), nil
			})
			if got, err := r.Owns(t.Context(), 1001, owner.Address()); err != nil || got != tt.want {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}
