package devnettest

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheSolanaChainHasItsTokensAndAccounts(t *testing.T) {
	chain := StartSolana(t)
	if got := string(chain.Call(t, "getGenesisHash")); got != `"`+chain.GenesisHash+`"` || !strings.HasPrefix(chain.CAIP2, "solana:"+chain.GenesisHash[:32]) {
		t.Errorf("got the genesis hash %s of %s", got, chain.CAIP2)
	}
	token := chain.Token(t, "tUSD")
	var accounts struct {
		Value []struct {
			Account struct {
				Data struct {
					Parsed struct {
						Info struct {
							TokenAmount struct {
								Amount string `json:"amount"`
							} `json:"tokenAmount"`
						} `json:"info"`
					} `json:"parsed"`
				} `json:"data"`
			} `json:"account"`
		} `json:"value"`
	}
	result := chain.Call(t, "getTokenAccountsByOwner", chain.Accounts[0].Address, map[string]string{"mint": token.Address}, map[string]string{"encoding": "jsonParsed"})
	if err := json.Unmarshal(result, &accounts); err != nil {
		t.Fatal(err)
	}
	if len(accounts.Value) != 1 || accounts.Value[0].Account.Data.Parsed.Info.TokenAmount.Amount != "1000000000001" {
		t.Errorf("account 0 holds %s of tUSD", result)
	}
	chain.SetAccount(t, "HawserDevnet1111111111111111111111111111111", token.Program, []byte{1, 2, 3})
	if got := string(chain.Call(t, "getAccountInfo", "HawserDevnet1111111111111111111111111111111", map[string]string{"encoding": "base64"})); !strings.Contains(got, `"AQID"`) {
		t.Errorf("the written account is %s", got)
	}
}
