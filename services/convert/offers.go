package convert

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// vendorLifetime is how long a vendor's answer is used: a quote that is watched is found anew with every block, which no vendor would bear.
	vendorLifetime = 10 * time.Second
	// keptAnswers bounds how many are kept.
	keptAnswers = 1000
)

// keptPanel asks vendors, and the same thing only now and then.
type keptPanel struct {
	*vendors.Panel
	answers *otter.Cache[question, vendors.Answers]
}

// question is what makes two asks the same: a quote is the same whoever asks.
type question struct {
	chainID     string
	from, to    evm.Address
	amount      string
	slippageBPS uint32
}

func keep(p *vendors.Panel) keptPanel {
	return keptPanel{p, otter.Must(&otter.Options[question, vendors.Answers]{
		MaximumSize: keptAnswers, ExpiryCalculator: otter.ExpiryWriting[question, vendors.Answers](vendorLifetime),
	})}
}

// Ask returns what vendors said a moment ago, or asks them.
func (k keptPanel) Ask(ctx context.Context, a vendors.Ask) vendors.Answers {
	q := question{a.ChainID, a.From, a.To, a.Amount.String(), a.SlippageBPS}
	if known, ok := k.answers.GetIfPresent(q); ok {
		return known
	}
	said := k.Panel.Ask(ctx, a)
	if ctx.Err() == nil {
		k.answers.Set(q, said)
	}
	return said
}
