package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// twoGateways returns two gateways of the shared suite that has one process for each service.
func twoGateways(t *testing.T) (first, second *suite) {
	t.Helper()
	first = shared(t, split)
	return first, first.twin(t, func(config string) string { return config })
}

func TestAChangedProjectIsSeenAtEveryGateway(t *testing.T) {
	first, second := twoGateways(t)
	id := "1d0fa11ab1e5cadeba5eba11ad0a0002"
	first.project(t, "create", "-id", id, "-name", "Seen", "-any-origin")
	for round, want := range []int{http.StatusOK, http.StatusUnauthorized, http.StatusOK} {
		if round > 0 {
			first.project(t, map[int]string{http.StatusUnauthorized: "disable", http.StatusOK: "enable"}[want], id)
		}
		changed := time.Now()
		first.answers(t, id, want)
		second.answers(t, id, want)
		t.Logf("seen at both after %s", time.Since(changed))
	}
}

func TestAChangedNameIsSeenAtEveryGateway(t *testing.T) {
	first, second := twoGateways(t)
	owner, other := signaturetest.NewAccount(61), signaturetest.NewAccount(62)
	const name = "replicas.hawser.id"
	resolved := func(s *suite) string {
		var answer struct{ Address string }
		s.get(t, "/v1/resolve/"+name+"?coinType=60&projectId="+project, &answer)
		return answer.Address
	}
	if !first.tryRegister(name, owner) {
		t.Fatal("the name was not registered")
	}
	for _, s := range []*suite{first, second} {
		seenSoon(t, "the new name", func() bool { return resolved(s) == owner.Address().String() })
	}
	message := fmt.Sprintf(`{"coin_type":60,"address":%q,"timestamp":%d}`, other.Address(), time.Now().Unix())
	second.post(t, "/v1/profile/account/"+name+"/address", envelope(message, owner.Sign(message), ether, owner))
	for _, s := range []*suite{second, first} {
		seenSoon(t, "the changed name", func() bool { return resolved(s) == other.Address().String() })
	}
}

// Both gateways keep balances and prices, which are read together, until the next block.
func TestANewBlockIsSeenAtEveryGateway(t *testing.T) {
	devnet := devnettest.Start(t)
	first, second := twoGateways(t)
	chain := devnet.Chain(t, devChain)
	const account = "0x00000000000000000000000000000000fade0001"
	held := func(s *suite) (quantity string, price float64) {
		var answer struct {
			Balances []struct {
				Address  *string
				Price    float64
				Quantity struct{ Numeric string }
			}
		}
		s.get(t, "/v1/account/"+account+"/balance?currency=usd&chainId="+devChain+"&projectId="+project, &answer)
		for _, b := range answer.Balances {
			if b.Address == nil {
				return b.Quantity.Numeric, b.Price
			}
		}
		return "", 0
	}
	for _, s := range []*suite{first, second} {
		held(s)
	}
	chain.Call(t, "eth_sendTransaction", map[string]string{"from": devnet.Accounts[1].Address, "to": account, "value": "0x9"})
	for _, s := range []*suite{first, second} {
		seenSoon(t, "the new balance", func() bool {
			quantity, price := held(s)
			return quantity == "0.000000000000000009" && price > 0
		})
	}
}

// seenSoon waits until a replica has handled an event, and fails the test when that takes too long.
func seenSoon(t *testing.T, what string, seen func() bool) {
	t.Helper()
	begun := time.Now()
	for time.Since(begun) < soon {
		if seen() {
			t.Logf("%s was seen after %s", what, time.Since(begun))
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s was not seen in %s", what, soon)
}
