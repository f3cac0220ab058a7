package resolver_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// noDevnet has no development chains.
type noDevnet struct{}

func (noDevnet) Describe() *devnet.Description { return &devnet.Description{} }

// A lookup that began before the cache was cleared may have read what is outdated.
func TestALookupInProgressIsNotCachedAfterItsAccountIsForgotten(t *testing.T) {
	account := evm.Address{1}
	for behaviour, forget := range map[string]func(*resolver.Primaries){
		"the account": func(p *resolver.Primaries) { p.Forget(account.String()) },
		"all":         (*resolver.Primaries).ForgetAll,
	} {
		var lookups atomic.Int64
		begun, release := make(chan struct{}, 2), make(chan struct{})
		p := resolver.NewPrimaries(&resolver.Client{
			Chain: "eip155:1", UniversalResolver: evm.Address{2}.String(), Local: noDevnet{},
			Serves: func(context.Context, string) (bool, error) {
				lookups.Add(1)
				begun <- struct{}{}
				<-release
				return false, nil
			},
			Connect: func(string) chainclient.Transport { return nil },
		}, slog.New(slog.DiscardHandler))
		var first sync.WaitGroup
		first.Go(func() { p.Of(t.Context(), account) })
		<-begun
		forget(p)
		close(release)
		first.Wait()
		p.Of(t.Context(), account)
		if n := lookups.Load(); n != 2 {
			t.Errorf("%s: %d lookups, want 2", behaviour, n)
		}
	}
}
