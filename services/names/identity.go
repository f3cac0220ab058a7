package names

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/maypok86/otter/v2"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/primary"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// keepPrimary and keepNoPrimary are how long it is kept that an account has a name elsewhere, and that it has none or nobody could say.
	keepPrimary, keepNoPrimary = 5 * time.Minute, 10 * time.Second
	// primaryTimeout bounds the reading of a name and its avatar.
	primaryTimeout = 2 * time.Second
	// primariesKept bounds how many accounts are remembered.
	primariesKept = 10_000
)

// primaries know by which names of the Ethereum Name Service accounts want to be shown. Names of our own zones are not kept here: what changes
// about them shows at once.
type primaries struct {
	outside *outside
	log     *slog.Logger

	kept    *otter.Cache[evm.Address, reading]
	flights routine.Flights
	// forgotten are accounts of which nothing is kept for a moment: what is being read may be from before.
	forgotten *otter.Cache[evm.Address, struct{}]
}

// reading is what was found out of one account; whole unless something could not be asked.
type reading struct {
	primary.Name
	whole bool
}

func newPrimaries(o *outside, log *slog.Logger) *primaries {
	return &primaries{
		outside: o, log: log,
		forgotten: otter.Must(&otter.Options[evm.Address, struct{}]{
			MaximumSize: primariesKept, ExpiryCalculator: otter.ExpiryWriting[evm.Address, struct{}](2 * primaryTimeout),
		}),
		kept: otter.Must(&otter.Options[evm.Address, reading]{
			MaximumSize: primariesKept,
			ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[evm.Address, reading]) time.Duration {
				if e.Value.Name.Name == "" || !e.Value.whole {
					return keepNoPrimary
				}
				return keepPrimary
			}),
		}),
	}
}

// Of returns the account's name, an empty one also where nobody can say within the time there is. Callers who want the same at the same time
// share one reading, which goes on when one of them leaves.
func (p *primaries) Of(ctx context.Context, account evm.Address) primary.Name {
	if r, ok := p.kept.GetIfPresent(account); ok {
		return r.Name
	}
	ctx, cancel := context.WithTimeout(ctx, primaryTimeout)
	defer cancel()
	flight := p.flights.DoChan(ctx, account.String(), func() (any, error) {
		if r, ok := p.kept.GetIfPresent(account); ok { // a reading ended since the caller looked
			return r.Name, nil
		}
		r := p.read(context.WithoutCancel(ctx), account)
		p.kept.Set(account, r)
		if _, changed := p.forgotten.GetIfPresent(account); changed {
			p.kept.Invalidate(account)
		}
		return r.Name, nil
	})
	select {
	case <-ctx.Done():
		return primary.Name{}
	case result := <-flight:
		name, _ := result.Val.(primary.Name)
		return name
	}
}

// Forget drops what is known of accounts, by address: their names may be others than before.
func (p *primaries) Forget(addresses ...string) {
	for _, address := range addresses {
		if account, err := evm.ParseAddress(address); err == nil {
			p.forgotten.Set(account, struct{}{})
			p.kept.Invalidate(account)
			p.flights.Forget(account.String())
		}
	}
}

// ForgetAll drops what is known of every account.
func (p *primaries) ForgetAll() { p.kept.InvalidateAll() }

func (p *primaries) read(ctx context.Context, account evm.Address) reading {
	ctx, cancel := context.WithTimeout(ctx, primaryTimeout)
	defer cancel()
	resolver, err := p.outside.resolver(ctx)
	if errors.Is(err, errNoENS) {
		return reading{whole: true}
	}
	var name primary.Name
	if err == nil {
		name, err = primary.Read(ctx, resolver, account)
	}
	if err != nil {
		p.log.Log(ctx, severity(err), "an account's name of ENS could not be read", "error", err)
	}
	if !isPicture(name.Avatar) {
		name.Avatar = ""
	}
	return reading{Name: name, whole: err == nil}
}

// chosen puts the name before others of ours that an account says on the chain it wants to be shown by. Whether the account still has it, and
// what it says, is for the registry to tell.
func (z Zones) chosen(elsewhere primary.Name, records []Record) (primary.Name, []Record) {
	if !z.Hold(elsewhere.Name) {
		return elsewhere, records
	}
	i := slices.IndexFunc(records, func(r Record) bool { return string(r.Name) == elsewhere.Name })
	if i < 0 {
		return primary.Name{}, records
	}
	first := records[i]
	return primary.Name{}, slices.Insert(slices.Delete(records, i, i+1), 0, first)
}

// identity is how an account is shown: by the name it has elsewhere, or else by the first of ours.
func identity(account evm.Address, elsewhere primary.Name, records []Record, now time.Time) *namesv1.GetIdentityResponse {
	res := &namesv1.GetIdentityResponse{ResolvedAt: written(now)}
	if elsewhere.Name != "" {
		res.Names = append(res.Names, elsewhere.Name)
	}
	for _, r := range records {
		if string(r.Name) != elsewhere.Name {
			res.Names = append(res.Names, string(r.Name))
		}
	}
	if len(res.Names) > 0 {
		res.Name = &res.Names[0]
	}
	show(res, account, avatarOf(elsewhere, records))
	return res
}
