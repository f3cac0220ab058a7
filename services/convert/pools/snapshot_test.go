package pools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestASnapshotIsReadAfterARestart(t *testing.T) {
	h := newTestChain(t)
	h.config.Snapshots = filepath.Join(t.TempDir(), "pools")
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	h.v3(500, a, h.wrapped, 1000, 10, 100)
	h.v3(3000, a, h.hub, 1000, 10, 100)
	k := h.keeper()
	h.view(k, a)
	k.Close()
	for _, steps := range []uint64{stepBlocks, 2} {
		h.sell(500, a, h.wrapped, 100)
		h.position(3000, a, h.hub, 10, -20, 20)
		h.takeRequests()
		k := h.keeper()
		f := newTracker(k, h.table)
		f.node.steps = steps
		k.chains[h.chain.CAIP2] = f
		if v := h.view(k, a); v.Pools() != 3 {
			t.Errorf("%d pools", v.Pools())
		}
		bodies := h.takeRequests()
		k.Close()
		// One request for the head and the routers, one for the logs since, and after a wide gap one for the states of
		// pools, without their tick bitmaps.
		if len(bodies) > 3 {
			t.Errorf("with %d steps: %d bodies", steps, len(bodies))
		}
		h.expectFresh(k.chains[h.chain.CAIP2])
	}
}

func TestAnUnusableSnapshotIsIgnored(t *testing.T) {
	h := newTestChain(t)
	h.config.Snapshots = t.TempDir()
	path := filepath.Join(h.config.Snapshots, "eip155-31337.pools")
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	k := h.keeper()
	h.view(k, a)
	k.Close()
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(sound)
	flipped[len(flipped)-5] ^= 1
	other := snapshot{ChainID: "eip155:1"}
	for what, write := range map[string]func() error{
		"cut":              func() error { return os.WriteFile(path, sound[:len(sound)/2], 0o600) },
		"a bit is wrong":   func() error { return os.WriteFile(path, flipped, 0o600) },
		"empty":            func() error { return os.WriteFile(path, nil, 0o600) },
		"another form":     func() error { return os.WriteFile(path, []byte("hawser pools 0\n"), 0o600) },
		"of another chain": func() error { return writeSnapshot(path, other) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		h.logs.Reset()
		k := h.keeper()
		if v := h.view(k, a); v.Pools() != 1 {
			t.Errorf("%s: %d pools", what, v.Pools())
		}
		k.Close()
		if said := h.logs.String(); !strings.Contains(said, "the snapshot of pools is not used") {
			t.Errorf("%s: said %q", what, said)
		}
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestASnapshotOfAnotherBranchIsReadAgain(t *testing.T) {
	h := newTestChain(t)
	h.config.Snapshots = t.TempDir()
	a, b := h.token("A"), h.token("B")
	h.v2(a, 1000, h.wrapped, 1000)
	revert := h.chain.Snapshot(t)
	h.v2(b, 1000, h.wrapped, 1000)
	h.sell(0, a, h.wrapped, 10)
	k := h.keeper()
	h.view(k, a, b)
	k.Close()
	revert(t)
	h.v2(h.hub, 1000, h.wrapped, 1000)
	for range 3 {
		h.sell(0, a, h.wrapped, 1)
	}
	k = h.keeper()
	v := h.view(k, a, b)
	if _, ok := v.Token(evm.MustAddress(b)); ok || v.Pools() != 2 {
		t.Errorf("%d pools; the token of the other branch is there: %v", v.Pools(), ok)
	}
	k.Close()
	h.expectFresh(k.chains[h.chain.CAIP2])
}
