package coinbase

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

// usualCountry is the default country, because Coinbase requires one.
const usualCountry = "US"

// buyOptions is the response of GET /v1/buy/options.
type buyOptions struct {
	PaymentCurrencies []struct {
		ID     string `json:"id"`
		Limits []struct {
			ID  string       `json:"id"`
			Min wire.Decimal `json:"min"`
			Max wire.Decimal `json:"max"`
		} `json:"limits"`
	} `json:"paymentCurrencies"`
	PurchaseCurrencies []struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Symbol   string `json:"symbol"`
		Networks []struct {
			Name            string `json:"name"`
			DisplayName     string `json:"displayName"`
			ChainID         string `json:"chainId"`
			ContractAddress string `json:"contractAddress"`
		} `json:"networks"`
	} `json:"purchaseCurrencies"`
}

// Options returns what is sold in a region, cached for an hour.
func (c *Coinbase) Options(ctx context.Context, at ramp.Region) (ramp.Options, error) {
	at = usual(at)
	return c.options.Get(ctx, at.Country+"-"+at.Subdivision, func(ctx context.Context) (ramp.Options, error) {
		query := url.Values{"country": {at.Country}}
		if at.Subdivision != "" {
			query.Set("subdivision", at.Subdivision)
		}
		var answer either[buyOptions]
		if err := c.api.Get(ctx, "/v1/buy/options", query, &answer); err != nil {
			return ramp.Options{}, err
		}
		options := answer.is.options()
		if len(options.Assets) == 0 || len(options.Currencies) == 0 {
			return ramp.Options{}, ramp.ErrUnsupported
		}
		return options, nil
	})
}

func usual(at ramp.Region) ramp.Region {
	return ramp.Region{Country: cmp.Or(at.Country, usualCountry), Subdivision: at.Subdivision}
}

func (b buyOptions) options() ramp.Options {
	var o ramp.Options
	for _, bought := range b.PurchaseCurrencies {
		asset := ramp.Asset{ID: bought.ID, Name: bought.Name, Symbol: bought.Symbol}
		for _, n := range bought.Networks {
			chainID := chainOf(n.Name)
			contract, known := contractOf(chainID, n.ContractAddress)
			if chainID == "" || !known || !sameChain(chainID, n.ChainID) {
				continue
			}
			asset.Networks = append(asset.Networks, ramp.Network{Name: n.Name, Title: cmp.Or(n.DisplayName, n.Name), ChainID: chainID, Contract: contract})
		}
		if len(asset.Networks) > 0 && asset.ID != "" && asset.Symbol != "" {
			o.Assets = append(o.Assets, asset)
		}
	}
	for _, paid := range b.PaymentCurrencies {
		currency := ramp.Currency{ID: strings.ToUpper(paid.ID)}
		for _, l := range paid.Limits {
			currency.Limits = append(currency.Limits, ramp.Limit{Method: wire.Method(l.ID), Min: l.Min.Decimal, Max: l.Max.Decimal})
		}
		if len(currency.Limits) > 0 {
			o.Currencies = append(o.Currencies, currency)
		}
	}
	return o
}

// contractOf returns a token's contract, on Solana its mint; empty for the native currency, for which some chains have a placeholder address.
func contractOf(chainID, text string) (contract string, known bool) {
	if text == "" {
		return "", true
	}
	if namespaceOf(chainID) == namespaceSolana {
		mint, err := svm.ParseAddress(text)
		if err != nil {
			return "", false
		}
		if mint == svm.Native {
			return "", true
		}
		return mint.String(), true
	}
	address, err := evm.ParseAddress(text)
	if err != nil {
		return "", false
	}
	if address == evm.Native || address == (evm.Address{}) {
		return "", true
	}
	return address.String(), true
}

// find returns the asset and its network; without a chain, the asset's usual network.
func find(o ramp.Options, symbol, chainID string) (ramp.Asset, ramp.Network, error) {
	for _, a := range o.Assets {
		if !strings.EqualFold(a.Symbol, symbol) {
			continue
		}
		if chainID == "" {
			return a, a.Networks[0], nil
		}
		if n, ok := a.On(chainID); ok {
			return a, n, nil
		}
	}
	return ramp.Asset{}, ramp.Network{}, ramp.ErrUnsupported
}
