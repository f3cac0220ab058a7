package solana

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// swap is a transaction as mainnet's nodes return it: Jupiter sells 2 SOL, of which 1.99 go through a wrapped account
// to a pool and 0.01 to a third account, for 300 USDC. It uses accounts of a lookup table.
const swap = `{
 "slot": 300000000, "blockTime": 1730000000, "version": 0,
 "transaction": {"signatures": ["1"], "message": {
  "header": {"numRequiredSignatures": 1, "numReadonlySignedAccounts": 0, "numReadonlyUnsignedAccounts": 3},
  "accountKeys": ["{owner}", "{ownerUSDC}", "{tip}", "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", "ComputeBudget111111111111111111111111111111", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"],
  "instructions": [
   {"programIdIndex": 4, "accounts": [], "data": "3E7iTf2Mdcde", "stackHeight": null},
   {"programIdIndex": 3, "accounts": [0, 1, 6, 7], "data": "{long}", "stackHeight": null}]}},
 "meta": {"err": null, "fee": 5000, "status": {"Ok": null},
  "preBalances": [5000000000, 2039280, 7, 1, 1, 1, 902039280, 2039280],
  "postBalances": [2999995000, 2039280, 10000007, 1, 1, 1, 2892039280, 2039280],
  "preTokenBalances": [
   {"accountIndex": 1, "mint": "{usdc}", "owner": "{owner}", "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "uiTokenAmount": {"amount": "1", "decimals": 6, "uiAmount": 0.000001, "uiAmountString": "0.000001"}},
   {"accountIndex": 6, "mint": "So11111111111111111111111111111111111111112", "owner": "{pool}", "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "uiTokenAmount": {"amount": "900000000", "decimals": 9, "uiAmount": 0.9, "uiAmountString": "0.9"}},
   {"accountIndex": 7, "mint": "{usdc}", "owner": "{pool}", "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "uiTokenAmount": {"amount": "900000000", "decimals": 6, "uiAmount": 900, "uiAmountString": "900"}}],
  "postTokenBalances": [
   {"accountIndex": 1, "mint": "{usdc}", "owner": "{owner}", "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "uiTokenAmount": {"amount": "300000001", "decimals": 6, "uiAmount": 300.000001, "uiAmountString": "300.000001"}},
   {"accountIndex": 6, "mint": "So11111111111111111111111111111111111111112", "owner": "{pool}", "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "uiTokenAmount": {"amount": "2890000000", "decimals": 9, "uiAmount": 2.89, "uiAmountString": "2.89"}},
   {"accountIndex": 7, "mint": "{usdc}", "owner": "{pool}", "programId": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "uiTokenAmount": {"amount": "600000000", "decimals": 6, "uiAmount": 600, "uiAmountString": "600"}}],
  "innerInstructions": [{"index": 1, "instructions": [{"programIdIndex": 5, "accounts": [7, 1, 0], "data": "3Bxs411qCLLRMUsZ", "stackHeight": 2}]}],
  "loadedAddresses": {"writable": ["{poolSOL}", "{poolUSDC}"], "readonly": []},
  "logMessages": ["Program log: hello"], "rewards": [], "computeUnitsConsumed": 90000}}`

// key returns the address for a name.
func key(name string) (a svm.Address) {
	copy(a[:], name)
	a[31] = 1
	return a
}

func fill(text string) json.RawMessage {
	pairs := []string{"{long}", strings.Repeat("2", 200), "{usdc}", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}
	for _, name := range []string{"owner", "ownerUSDC", "tip", "pool", "poolSOL", "poolUSDC"} {
		pairs = append(pairs, "{"+name+"}", key(name).String())
	}
	return json.RawMessage(strings.NewReplacer(pairs...).Replace(text))
}

func TestASwapOfAKnownProgramIsATradeOfBothSides(t *testing.T) {
	parsed, err := parseTransaction(fill(swap))
	if err != nil {
		t.Fatal(err)
	}
	row, ok := rowOf(parsed, key("owner"))
	page := Page{Rows: []Row{row}}
	got := page.lines(map[svm.Address]string{key("owner"): "owner", key("pool"): "pool", key("tip"): "tip"})[0]
	if want := "trade; in 300000000  pool>owner; out 2000000000  owner>pool"; !ok || got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if row.Application != "Jupiter" || row.To.String() != "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4" || row.Time != 1_730_000_000 || row.Fee != 5_000 {
		t.Errorf("the row is %+v", row)
	}
}

func TestASwapThatFailedIsATradeThatMovedNothing(t *testing.T) {
	failed := strings.Replace(swap, `"err": null`, `"err": {"InstructionError": [1, {"Custom": 6001}]}`, 1)
	parsed, err := parseTransaction(fill(failed))
	if err != nil {
		t.Fatal(err)
	}
	row, ok := rowOf(parsed, key("owner"))
	if !ok || row.Operation != "trade" || row.Failure != "Instruction 2: custom program error 0x1771" || len(row.Transfers) != 1 || row.Transfers[0].Units != 0 {
		t.Errorf("got %+v", row)
	}
	if _, ok := rowOf(parsed, key("pool")); ok {
		t.Error("it is in the history of an account that did not sign it")
	}
}

func TestWrappedSOLOfTheOwnerIsATokenAndNotRent(t *testing.T) {
	wrap := `{"transaction": {"message": {"header": {"numRequiredSignatures": 1}, "accountKeys": ["{owner}", "{ownerUSDC}"], "instructions": []}},
	 "meta": {"err": null, "fee": 5000, "preBalances": [3000000000, 0], "postBalances": [1997955720, 1002039280], "preTokenBalances": [],
	  "postTokenBalances": [{"accountIndex": 1, "mint": "So11111111111111111111111111111111111111112", "owner": "{owner}", "uiTokenAmount": {"amount": "1000000000", "decimals": 9}}]}}`
	parsed, err := parseTransaction(fill(wrap))
	if err != nil {
		t.Fatal(err)
	}
	row, _ := rowOf(parsed, key("owner"))
	page := Page{Rows: []Row{row}, Tokens: map[svm.Address]Token{svm.Native: {Symbol: "SOL"}, svm.WrappedSOL: {Symbol: "WSOL"}}}
	got := page.lines(map[svm.Address]string{key("owner"): "owner"})[0]
	if want := "trade; in 1000000000 WSOL ?>owner; out 1000000000 SOL owner>?; self 2039280 SOL owner>other rent"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheAccountThatATransactionGaveAwayWentOut(t *testing.T) {
	given := `{"transaction": {"message": {"header": {"numRequiredSignatures": 1}, "accountKeys": ["{owner}", "{ownerUSDC}"], "instructions": []}},
	 "meta": {"err": null, "fee": 5000, "preBalances": [10000, 2039280], "postBalances": [5000, 2039280],
	  "preTokenBalances": [{"accountIndex": 1, "mint": "{usdc}", "owner": "{owner}", "uiTokenAmount": {"amount": "9", "decimals": 6}}],
	  "postTokenBalances": [{"accountIndex": 1, "mint": "{usdc}", "owner": "{tip}", "uiTokenAmount": {"amount": "9", "decimals": 6}}]}}`
	parsed, err := parseTransaction(fill(given))
	if err != nil {
		t.Fatal(err)
	}
	row, _ := rowOf(parsed, key("owner"))
	got := Page{Rows: []Row{row}}.lines(map[svm.Address]string{key("owner"): "owner", key("tip"): "thief"})[0]
	if want := "send; out 9  owner>thief"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestATransactionThatIsCutIsRefused(t *testing.T) {
	for name, change := range map[string][2]string{
		"no meta":                     {`"meta": {`, `"other": {`},
		"a key too few":               {`, "{tip}"`, ``},
		"a balance too few":           {`, 2892039280, 2039280]`, `, 2892039280]`},
		"an invalid account":          {`"accountIndex": 7`, `"accountIndex": 8`},
		"an invalid amount":           {`"amount": "1"`, `"amount": "-1"`},
		"an invalid address":          {`"{usdc}"`, `"usdc"`},
		"an invalid program":          {`"programIdIndex": 3`, `"programIdIndex": 99`},
		"no signer":                   {`"numRequiredSignatures": 1`, `"numRequiredSignatures": 0`},
		"instruction data not base58": {`3E7iTf2Mdcde`, `0OIl`},
	} {
		text := strings.Replace(swap, change[0], change[1], 1)
		if text == swap {
			t.Fatalf("%s: nothing changed", name)
		}
		if parsed, err := parseTransaction(fill(text)); err == nil {
			t.Errorf("%s: got %+v", name, parsed)
		}
	}
}

func TestTheErrorOfATransactionIsShortText(t *testing.T) {
	for raw, want := range map[string]string{
		``: "", `null`: "",
		`"AccountInUse"`: "AccountInUse",
		`{"InstructionError":[0,"InvalidAccountData"]}`:      "Instruction 1: InvalidAccountData",
		`{"InstructionError":[2,{"Custom":1}]}`:              "Instruction 3: custom program error 0x1",
		`{"InstructionError":[2,{"BorshIoError":"secret"}]}`: "Instruction 3",
		`{"InsufficientFundsForRent":{"account_index":1}}`:   "InsufficientFundsForRent",
		`[1]`: "Unknown error",
	} {
		if got := failureText(json.RawMessage(raw)); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

func FuzzParseTransaction(f *testing.F) {
	f.Add([]byte(fill(swap)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		parsed, err := parseTransaction(raw)
		if err != nil {
			return
		}
		for _, owner := range parsed.keys {
			if row, ok := rowOf(parsed, owner); ok && len(row.Transfers) == 0 {
				t.Error("a row has no transfer")
			}
		}
	})
}

func TestProgramsAreNamedOnce(t *testing.T) {
	for address := range programs {
		if plain[address] {
			t.Errorf("%s is a program of ordinary transfers, too", address)
		}
	}
}
