package ramptest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

var nameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func profile(t *testing.T, w Setup) {
	if name := w.Provider.Name(); !nameForm.MatchString(name) {
		t.Errorf("it is called %q", name)
	}
	p := w.Provider.Profile()
	if p.Title == "" || p.Website != "" && !strings.HasPrefix(p.Website, "https://") {
		t.Errorf("it is shown as %+v", p)
	}
	if len(p.Namespaces) == 0 {
		t.Error("it serves no chain")
	}
	for _, namespace := range p.Namespaces {
		if namespace != "eip155" && namespace != "solana" {
			t.Errorf("it serves %q", namespace)
		}
	}
	if p.FeeMin.IsNegative() || p.FeeMin.GreaterThan(p.FeeMax) {
		t.Errorf("its fees are from %s to %s", p.FeeMin, p.FeeMax)
	}
}

func options(t *testing.T, open func(t *testing.T) Setup) {
	w := open(t)
	o, err := w.Provider.(ramp.Lister).Options(t.Context(), w.Region)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Assets) == 0 || len(o.Currencies) == 0 {
		t.Fatalf("it sells %d tokens for %d currencies", len(o.Assets), len(o.Currencies))
	}
	for _, a := range o.Assets {
		if a.ID == "" || a.Symbol == "" || len(a.Networks) == 0 {
			t.Errorf("it sells %+v", a)
		}
		for _, n := range a.Networks {
			chain, err := caip.ParseChain(n.ChainID)
			if err != nil || !slices.Contains(w.Provider.Profile().Namespaces, chain.Namespace) || n.Name == "" || n.Title == "" {
				t.Errorf("it sends %s to %+v", a.Symbol, n)
			}
		}
	}
	for _, c := range o.Currencies {
		if len(c.ID) != 3 || len(c.Limits) == 0 {
			t.Errorf("it takes %+v", c)
		}
		for _, l := range c.Limits {
			if l.Method == "" || l.Min.IsNegative() || l.Min.GreaterThan(l.Max) {
				t.Errorf("it takes %s within %+v", c.ID, l)
			}
		}
	}
}
