package meld

import (
	"context"
	"regexp"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// currency is a cryptocurrency in Meld's form.
type currency struct {
	CurrencyCode    string `json:"currencyCode"`
	Name            string `json:"name"`
	ChainCode       string `json:"chainCode"`
	ChainName       string `json:"chainName"`
	ChainID         string `json:"chainId"`
	ContractAddress string `json:"contractAddress"`
}

// coin is a token on one chain, and Meld's code of both, such as USDC_BASE.
type coin struct {
	code, symbol, name string
	network            ramp.Network
}

// evmCodes are Meld's codes of EVM chains, with the numbers that they must have.
var evmCodes = map[string]string{
	"ETH": "1", "OPTIMISM": "10", "BSC": "56", "POLYGON": "137", "ZKSYNC": "324", "BASE": "8453", "ARBITRUM": "42161", "CELO": "42220",
	"AVAXC": "43114", "LINEA": "59144",
}

// solana is the CAIP-2 id of Solana's main network.
const solana = namespaceSolana + ":5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

// Namespaces of CAIP-2.
const (
	namespaceEVM    = "eip155"
	namespaceSolana = "solana"
)

// solanaCode is Meld's code of Solana.
const solanaCode = "SOLANA"

var (
	numberForm = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)
	mintForm   = regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{32,44}$`)
)

// coin returns the coin of a currency, and false if its chain is not supported. On a chain whose code is unknown, the coin must have an EVM
// contract, because chains of other kinds have numbers as well.
func (c currency) coin() (coin, bool) {
	network := ramp.Network{Name: c.ChainCode, Title: c.ChainName}
	if network.Title == "" {
		network.Title = c.ChainCode
	}
	if c.CurrencyCode == "" || c.ChainCode == "" {
		return coin{}, false
	}
	if c.ChainCode == solanaCode {
		network.ChainID = solana
		if isMint := mintForm.MatchString(c.ContractAddress); isMint && c.CurrencyCode != "SOL" {
			network.Contract = c.ContractAddress
		}
		return coin{c.CurrencyCode, c.symbol(), c.Name, network}, true
	}
	address, err := evm.ParseAddress(c.ContractAddress)
	number, known := evmCodes[c.ChainCode]
	if !numberForm.MatchString(c.ChainID) || known && number != c.ChainID || !known && err != nil {
		return coin{}, false
	}
	network.ChainID = namespaceEVM + ":" + c.ChainID
	if err == nil && address != (evm.Address{}) && address != evm.Native {
		network.Contract = address.String()
	}
	return coin{c.CurrencyCode, c.symbol(), c.Name, network}, true
}

// symbol returns the code without its chain.
func (c currency) symbol() string {
	if symbol, ok := strings.CutSuffix(c.CurrencyCode, "_"+c.ChainCode); ok {
		return symbol
	}
	symbol, _, _ := strings.Cut(c.CurrencyCode, "_")
	return symbol
}

// coinsIn returns the coins that are sold in a country.
func (m *Meld) coinsIn(ctx context.Context, country string) ([]coin, error) {
	return m.coins.Get(ctx, country, func(ctx context.Context) ([]coin, error) {
		var all []currency
		if err := m.api.Get(ctx, cryptoCurrencies, narrowed(country), &all); err != nil {
			return nil, err
		}
		var coins []coin
		for _, c := range all {
			if one, served := c.coin(); served {
				coins = append(coins, one)
			}
		}
		return coins, nil
	})
}

// find returns the coin of a symbol on a chain; without a chain, the one whose code is the symbol, or the first.
func find(coins []coin, symbol, chainID string) (coin, error) {
	var first *coin
	for i, c := range coins {
		if !strings.EqualFold(c.symbol, symbol) || chainID != "" && c.network.ChainID != chainID {
			continue
		}
		if strings.EqualFold(c.code, symbol) {
			return c, nil
		}
		if first == nil {
			first = &coins[i]
		}
	}
	if first == nil {
		return coin{}, ramp.ErrUnsupported
	}
	return *first, nil
}
